// SPDX-License-Identifier: Apache-2.0
import React, { useMemo, useRef } from 'react';
import { LoadingState, renderMarkdown } from '@grafana/data';
import { IconButton, PanelChrome } from '@grafana/ui';
import { fillText } from '../host/interpolate';
import { PanelHost, PanelHostProps } from '../host/PanelHost';
import { useWidth } from './useWidth';

interface Props extends Omit<PanelHostProps, 'width'> {
  slow: boolean;
  /** The only panel on the page. */
  alone: boolean;
  onView: () => void;
}

/** A panel in its frame. */
export function PanelCard({ shown, height, alone, slow, onView, ...rest }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const { panel, title, scope } = shown;
  const description = useMemo(
    () => (panel.description ? renderMarkdown(fillText(panel.description, scope)) : undefined),
    [panel, scope]
  );
  const view = alone ? 'Show all panels' : `Show only ${title}`;
  return (
    <div ref={place} style={{ height }} data-testid={`panel ${shown.key}`}>
      {width > 0 && (
        <PanelChrome
          width={width}
          height={height}
          title={title}
          description={description}
          statusMessage={rest.data.errors?.map(({ message }) => message).join('\n')}
          loadingState={slow ? LoadingState.Loading : LoadingState.Done}
          actions={<IconButton name={alone ? 'apps' : 'eye'} tooltip={view} onClick={onView} />}
        >
          {(innerWidth, innerHeight) => <PanelHost {...rest} shown={shown} width={innerWidth} height={innerHeight} />}
        </PanelChrome>
      )}
    </div>
  );
}

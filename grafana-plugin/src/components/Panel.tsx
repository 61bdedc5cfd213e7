// SPDX-License-Identifier: Apache-2.0
import React, { useCallback, useMemo } from 'react';
import { PanelProps } from '@grafana/data';
import { readPicture } from '../data/read';
import { Options } from '../types';
import { SequenceView } from './SequenceView';
import { StatesView } from './StatesView';

const NONE: ReadonlySet<string> = new Set();

/** The panel: reads the answers of its queries and shows them in the chosen view. */
export function Panel(props: PanelProps<Options>) {
  const { data, options, timeRange, onChangeTimeRange } = props;
  const { picture } = useMemo(() => readPicture(data.series), [data.series]);
  const onZoom = useCallback((from: number, to: number) => onChangeTimeRange({ from, to }), [onChangeTimeRange]);
  const View = options.view === 'states' ? StatesView : SequenceView;
  return (
    <View
      picture={picture}
      hidden={NONE}
      options={options}
      width={props.width}
      height={props.height}
      from={timeRange.from.valueOf()}
      to={timeRange.to.valueOf()}
      timeZone={props.timeZone}
      panelId={props.id}
      eventBus={props.eventBus}
      onZoom={onZoom}
    />
  );
}

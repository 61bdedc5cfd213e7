// SPDX-License-Identifier: Apache-2.0
import React, { useCallback, useMemo, useState } from 'react';
import { LoadingState, PanelProps } from '@grafana/data';
import { findings } from '../data/findings';
import { Notice } from '../data/notice';
import { queriesOf } from '../data/queries';
import { readPicture } from '../data/read';
import { Options } from '../types';
import { Empty } from './Empty';
import { emptyReason, failures } from './emptyReason';
import { Legend } from './Legend';
import { layoutLegend } from './legendLayout';
import { NOTICE_HEIGHT, Notices } from './Notices';
import { SequenceView } from './SequenceView';
import { StatesView } from './StatesView';
import { Hidden } from './visibility';

const NONE: Hidden = new Set();
/** In lower panels the picture needs the line that notices would take. */
const NOTICES_FROM = 140;

/**
 * The panel: reads the answers of its queries and shows them in the chosen view, with notices above and legend below.
 */
export function Panel(props: PanelProps<Options>) {
  const { data, options, width, height, timeRange, onChangeTimeRange } = props;
  const [hidden, setHidden] = useState(NONE);
  // a panel that was saved before there was a choice has none
  const queue = options.queue ?? 'own';
  const read = useMemo(() => readPicture(data.series, queue), [data.series, queue]);
  const [last, setLast] = useState(read);
  const loading = data.state === LoadingState.Loading && read.picture.tiers.length === 0;
  // while the next picture is on its way the one before stays
  if (!loading && last !== read) {
    setLast(read);
  }
  const shown = loading ? last : read;
  const { picture } = shown;
  const notices = useMemo(() => findings(shown, queriesOf(data), queue), [shown, data, queue]);
  const onZoom = useCallback((from: number, to: number) => onChangeTimeRange({ from, to }), [onChangeTimeRange]);

  if (picture.tiers.length === 0) {
    return <Empty reason={emptyReason(data, notices)} width={width} height={height} />;
  }
  const failed = failures(data).map((text): Notice => ({ severity: 'error', text }));
  const said = height < NOTICES_FROM ? [] : [...failed, ...notices];
  const names = options.showLegend ? picture.tiers.map((tier) => tier.name) : [];
  const legend = layoutLegend(names, options.view === 'states', width, height);
  const View = options.view === 'states' ? StatesView : SequenceView;
  return (
    <>
      <Notices notices={said} />
      <View
        picture={picture}
        hidden={hidden}
        options={options}
        width={width}
        height={height - legend.height - (said.length > 0 ? NOTICE_HEIGHT : 0)}
        from={timeRange.from.valueOf()}
        to={timeRange.to.valueOf()}
        timeZone={props.timeZone}
        eventBus={props.eventBus}
        onZoom={onZoom}
      />
      <Legend {...picture} hidden={hidden} onChange={setHidden} layout={legend} view={options.view} />
    </>
  );
}

// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css, cx } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import { Episode } from '../model/episodes';
import { Picked } from '../model/picked';
import { around, episodeWords, howMany, longest, plural } from './episodeWords';

/** Height of the bar, CSS pixels. */
export const BAR_HEIGHT = 32;
/**
 * About the width of the sentence and the clear button, of a button's icon and borders, and of a letter, CSS pixels.
 */
const REST_WIDTH = 330;
/** Narrower bars say it in two words. */
const SENTENCE_FROM = 560;
const SHORT_REST_WIDTH = 190;
const BUTTON_WIDTH = 48;
const LETTER_WIDTH = 6.7;

interface Props {
  /** null: nothing is picked, and the bar offers the frozen windows. */
  picked: Picked | null;
  /** How many windows are frozen. */
  frozen: number;
  /** Names of the tiers by their keys. */
  names: ReadonlyMap<string, string>;
  width: number;
  timeZone: string;
  onFrozen(): void;
  onZoom(from: number, to: number): void;
  onClear(): void;
}

/** Below the plot: when the picked windows were, with the way there. */
export function EpisodeBar({ picked, frozen, names, width, timeZone, onFrozen, onZoom, onClear }: Props) {
  const styles = useStyles2(getStyles);
  if (!picked) {
    return (
      <div className={styles.bar} style={{ width }}>
        <Button size="sm" variant="secondary" fill="outline" icon="clock-nine" onClick={onFrozen}>
          {`Select ${plural(frozen, 'frozen window')}`}
        </Button>
      </div>
    );
  }
  const short = width < SENTENCE_FROM;
  const wordsOf = (episode: Episode) => episodeWords(episode, names, timeZone);
  const offered = longest(
    picked.episodes,
    width - (short ? SHORT_REST_WIDTH : REST_WIDTH),
    (episode) => BUTTON_WIDTH + LETTER_WIDTH * wordsOf(episode).length
  );
  return (
    <div className={styles.bar} style={{ width }} role="group" aria-label="Selected windows">
      {short && (
        <span aria-hidden className={styles.sentence}>
          {plural(picked.episodes.length, 'episode')}:
        </span>
      )}
      <span role="status" className={cx(styles.sentence, short && styles.unseen)}>
        {howMany(picked.windows, picked.episodes.length)}
        {offered.length < picked.episodes.length && ', the longest:'}
      </span>
      <div className={styles.episodes}>
        {offered.map((episode) => {
          const words = wordsOf(episode);
          const { from, to } = around(episode);
          return (
            <Button
              key={episode.from}
              size="sm"
              variant="secondary"
              fill="outline"
              icon="search-plus"
              aria-label={`Zoom to ${words}`}
              onClick={() => onZoom(from, to)}
            >
              {words}
            </Button>
          );
        })}
      </div>
      <Button size="sm" variant="secondary" fill="text" icon="times" className={styles.clear} onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  bar: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    height: BAR_HEIGHT,
    overflow: 'hidden',
    whiteSpace: 'nowrap',
    fontSize: theme.typography.bodySmall.fontSize,
    button: { fontVariantNumeric: 'tabular-nums' },
  }),
  // on a narrow panel these give way, not the clear button
  episodes: css({ display: 'flex', gap: theme.spacing(1), minWidth: 0, overflow: 'hidden' }),
  sentence: css({ flexShrink: 0, color: theme.colors.text.primary }),
  // only for users of a screen reader
  unseen: css({ position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' }),
  clear: css({ marginLeft: 'auto', flexShrink: 0 }),
});

// SPDX-License-Identifier: Apache-2.0
import { Failed, Findings, Said, Waited } from './findings';
import { formatMilliseconds, formatShare } from '../src/components/format';
import { Words } from './words';

/** How much the reader should care. */
export type Weight = 'bad' | 'good' | 'unknown';

export interface Verdict {
  weight: Weight;
  /** The verdict, and what is not known because a query failed. */
  text: string;
  /** Where a request spends its time; empty if that is not known. */
  where: string;
  /** What to do first; empty if there is nothing to do. */
  advice: string;
}

/** The dashboard's words for causes, and for what to do about them. */
export interface Vocabulary {
  cause: Words;
  advice: Words;
}

/** Puts the recorded verdict into sentences. */
export function verdict(findings: Findings, words: Vocabulary): Verdict {
  const { said, waited, failed } = findings;
  const { weight, text } = said ? sentence(said, words) : absent(failed.verdict);
  return {
    weight,
    text: [text, ...gapsOf(findings)].join(' '),
    where: where(waited),
    advice: said && weight === 'bad' && said.cause !== '' ? words.advice(said.cause) : '',
  };
}

function sentence(said: Said, { cause }: Vocabulary): Pick<Verdict, 'weight' | 'text'> {
  switch (said.verdict) {
    case 'healthy':
      return { weight: 'good', text: `${said.app} is healthy${mean(said)}.` };
    case 'learning':
      return {
        weight: 'unknown',
        text:
          `Nstar is still learning what is normal for ${said.app}, ` +
          `so it does not name a bottleneck or call ${said.app} healthy${mean(said)}.`,
      };
    case 'single_bottleneck':
      return { weight: 'bad', text: `${said.tier} is the bottleneck (cause: ${cause(said.cause)})${cost(said)}.` };
    case 'alternating_bottleneck':
      return {
        weight: 'bad',
        text:
          `The bottleneck alternates between tiers again and again; ` +
          `${said.tier} causes most of the waiting (cause: ${cause(said.cause)})${cost(said)}.`,
      };
    default:
      return { weight: 'unknown', text: `The verdict on ${said.app} is ${said.verdict.replaceAll('_', ' ')}.` };
  }
}

function absent(failed: Failed): Pick<Verdict, 'weight' | 'text'> {
  return failed.has('verdict')
    ? { weight: 'unknown', text: 'No verdict can be given.' }
    : { weight: 'unknown', text: 'No verdict was recorded here: choose a time range with traffic.' };
}

function mean({ response }: Said): string {
  return response === null ? '' : `; mean response time ${formatMilliseconds(response)}`;
}

function cost({ response, cost, share }: Said): string {
  if (response !== null && cost !== null && share !== null) {
    const [part, whole] = [cost, response].map(formatMilliseconds);
    return `: it costs ${part} of the mean response time of ${whole} (${formatShare(share)})`;
  }
  return share === null ? '' : `: it costs ${formatShare(share)} of the mean response time`;
}

/** "Of the mean response time of 328 ms, 190 ms pass in tomcat and 137 ms in mariadb." The longest first. */
function where(waited: readonly Waited[]): string {
  const total = waited.reduce((sum, { seconds }) => sum + seconds, 0);
  if (!(total > 0)) {
    return '';
  }
  const parts = [...waited]
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ tier, seconds }, i) => `${formatMilliseconds(seconds)}${i === 0 ? ' pass' : ''} in ${tier}`);
  return `Of the mean response time of ${formatMilliseconds(total)}, ${new Intl.ListFormat('en').format(parts)}.`;
}

/** A sentence for each query that the words rest on and that has no answer. */
function gapsOf({ failed }: Findings): string[] {
  return [
    gap('The verdict', 'verdict', failed.verdict),
    gap('The cost', 'cost', failed.verdict),
    gap('The time of each tier', 'waited', failed.waited),
    gap('The time of each cause', 'time', failed.charged),
  ].filter((sentence) => sentence !== undefined);
}

function gap(what: string, query: string, failed: Failed): string | undefined {
  const reason = failed.get(query)?.replace(/\.$/, '');
  return reason === undefined ? undefined : `${what} could not be read (query ${query}: ${reason}).`;
}

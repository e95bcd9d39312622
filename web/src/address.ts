// The address holds the scenario, the moment and the branch: `#s=consumer-dies&t=41.0`.
// A branch made by hand lives only as long as the page; its number comes along
// so that Back and Forward find it again.

export interface Address {
  scenario: string;
  /** Microseconds; undefined: the page chooses. */
  at: number | undefined;
  branch: number;
}

export function readAddress(hash: string): Address {
  const q = new URLSearchParams(hash.replace(/^#/, ''));
  const t = q.get('t'), at = t === null || !/^\d+(\.\d+)?$/.test(t) ? undefined : Math.round(Number(t) * 1e6);
  const branch = Number(q.get('b'));
  return {scenario: q.get('s') ?? '', at, branch: Number.isInteger(branch) && branch > 0 ? branch : 1};
}

export function writeAddress({scenario, at, branch}: Address): string {
  if (!scenario) return '';
  const t = at === undefined ? '' : `&t=${Number((at / 1e6).toFixed(6))}`;
  return `#s=${encodeURIComponent(scenario)}${t}${branch > 1 ? `&b=${branch}` : ''}`;
}

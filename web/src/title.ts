/** The first comment of a scenario is its title. */
export function titleOf(script: string): string {
  return script.split('\n').find((line) => line.startsWith('#'))?.replace(/^#+\s*/, '').trim() ?? '';
}

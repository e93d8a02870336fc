import { readFile } from 'node:fs/promises';
import { OUTSIDE } from '../stage/machines-net.ts';

const PAGE = new URL('../../docs/deploy.md', import.meta.url);
const CLONED = 'https://example.com/headwind.git';

/** What docs/deploy.md has a person type, by machine, and at the end, once. */
export async function deployPage(): Promise<{
  one: string;
  two: string;
  watch: string;
  wrapper: string;
  begin: string;
}> {
  const page = await readFile(PAGE, 'utf8');
  const several = blocksBelow(page, '### On 192.0.2.11 and 192.0.2.12');
  const [first = '', , last = ''] = several;
  const [, wrapper = '', begin = ''] = blocksBelow(page, '## One machine');
  return {
    one: typed([first, last]),
    two: typed(several),
    watch: typed(blocksBelow(page, '### On 192.0.2.13')),
    wrapper: typed([wrapper]),
    begin: typed([begin]),
  };
}

/** What stands in the fenced blocks of a part of the page. */
function blocksBelow(page: string, heading: string): string[] {
  const [, after = ''] = page.split(`\n${heading}\n`);
  const [part = ''] = after.split(/\n#{2,3} /);
  return [...part.matchAll(/```\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

/** As typed there, but for where the code comes from and where alerts go. */
function typed(blocks: string[]): string {
  const lines = blocks.join('\n').replaceAll(CLONED, '/srv/headwind.git');
  const receiver = `sed -i s/127.0.0.1:9099/${OUTSIDE}:9099/ /etc/prometheus/alertmanager.yml`;
  return `set -e\n${lines.replace(/^(cp \S+alertmanager.yml .*)$/m, `$1\n${receiver}`)}`;
}

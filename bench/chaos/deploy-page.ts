import { readFile } from 'node:fs/promises';
import { OWN_ADDRESS } from '../stage/machines-net.ts';

const PAGE = new URL('../../docs/deploy.md', import.meta.url);
const CLONE_ADDRESS = 'https://example.com/headwind.git';

/** Reads the commands of docs/deploy.md: the commands for each machine, and the commands that run once at the end. */
export async function readDeployCommands(): Promise<{
  one: string;
  two: string;
  watch: string;
  wrapper: string;
  begin: string;
}> {
  const page = await readFile(PAGE, 'utf8');
  const several = codeBlocks(page, '### On 192.0.2.11 and 192.0.2.12');
  const [first = '', , last = ''] = several;
  const [, wrapper = '', begin = ''] = codeBlocks(page, '## One machine');
  return {
    one: toScript([first, last]),
    two: toScript(several),
    watch: toScript(codeBlocks(page, '### On 192.0.2.13')),
    wrapper: toScript([wrapper]),
    begin: toScript([begin]),
  };
}

/** Returns the fenced code blocks below a heading of the page. */
function codeBlocks(page: string, heading: string): string[] {
  const [, after = ''] = page.split(`\n${heading}\n`);
  const [part = ''] = after.split(/\n#{2,3} /);
  return [...part.matchAll(/```\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

/** Joins the blocks to a script. Replaces the addresses for the repository and for alerts. */
function toScript(blocks: string[]): string {
  const lines = blocks.join('\n').replaceAll(CLONE_ADDRESS, '/srv/headwind.git');
  const receiver = `sed -i s/127.0.0.1:9099/${OWN_ADDRESS}:9099/ /etc/prometheus/alertmanager.yml`;
  return `set -e\n${lines.replace(/^(cp \S+alertmanager.yml .*)$/m, `$1\n${receiver}`)}`;
}

// How long a very large file takes and what it costs: scripts/lab/large-file.

import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { expect, test } from './server';

const GAMES = Number(process.env.LARGE ?? 0);

/** 80 half-moves that always fit, each with a clock, as a server of games writes them. */
function moves(): string {
  const round = ['Nf3', 'Nf6', 'Nc3', 'Nc6', 'Ng1', 'Ng8', 'Nb1', 'Nb8'];
  return Array.from({ length: 80 }, (_, ply) => {
    const number = `${Math.floor(ply / 2) + 1}${ply % 2 ? '...' : '.'}`;
    const left = `0:0${4 - Math.floor(ply / 20)}:${String(59 - (ply % 60)).padStart(2, '0')}`;
    return `${number} ${round[ply % 8]} { [%clk ${left}] }`;
  }).join(' ');
}

async function write(path: string): Promise<void> {
  const stream = createWriteStream(path);
  const text = moves();
  for (let index = 0; index < GAMES; index += 1) {
    const game = `[Event "Round ${index % 97}"]\n[White "W${index}"]\n[Black "B${index % 1000}"]\n[Date "2026.11.19"]\n[Result "1-0"]\n\n${text} 1-0\n\n`;
    if (!stream.write(game)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

test('a very large file', async ({ game, page, server }) => {
  test.skip(GAMES === 0, 'measured on demand');
  test.setTimeout(600_000);
  const path = join(server.games, 'large.txt');
  await write(path);
  const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1);
  const heap = async () => {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return usedSize / 1e6;
  };
  const before = await heap();
  await page.evaluate(() => {
    const frames = { longest: 0, last: performance.now() };
    Object.assign(window, { frames });
    const next = (now: number) => {
      frames.longest = Math.max(frames.longest, now - frames.last);
      frames.last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.locator('#load-file').setInputFiles(path);
  const begin = performance.now();
  await page.locator('#load-dialog button.primary').click();
  await expect(page.locator('#games-list .game').first()).toBeVisible({ timeout: 300_000 });
  const first = seconds(begin);
  await expect(page.locator('#games-count')).toHaveText(`${GAMES} games`, { timeout: 300_000 });
  const whole = seconds(begin);
  const searching = performance.now();
  await page.getByRole('searchbox', { name: 'Search' }).fill(`w${GAMES - 1}`);
  await expect(page.locator('#games-count')).toHaveText(`1 of ${GAMES} games`, { timeout: 60_000 });
  const search = seconds(searching);
  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  await expect(page.locator('#games-count')).toHaveText(`${GAMES} games`);
  await page.locator('#games-list').focus();
  await page.keyboard.press('End');
  await expect(page.locator('#games-list .game').filter({ hasText: `W${GAMES - 1} – ` })).toBeVisible();
  const longest = await page.evaluate(() => (window as unknown as { frames: { longest: number } }).frames.longest);
  const status = await readFile(`/proc/${server.id}/status`, 'utf8');
  const memory = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024);
  const size = Math.round((await stat(path)).size / 1e6);
  console.log(
    `${GAMES} games, ${size} MB: first rows ${first} s, whole list ${whole} s, search ${search} s; ` +
      `server ${memory('VmRSS')} MB (at most ${memory('VmHWM')} MB), page ${((await heap()) - before).toFixed(1)} MB more, ` +
      `longest frame ${Math.round(longest)} ms`,
  );
  await page.keyboard.press('Enter');
  await expect(game.moves).toHaveCount(80);
});

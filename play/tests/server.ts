// A Gambeson of its own for each test, on a free port, with an empty folder for
// its games.

import { test as base, expect } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Game } from './game';

const ENGINE = process.env.GAMBESON ?? '../target/release/gambeson';

export class Server {
  address = '';
  private process: ChildProcess | null = null;

  private constructor(readonly games: string) {}

  static async start(): Promise<Server> {
    const server = new Server(await mkdtemp(join(tmpdir(), 'gambeson-play-')));
    await server.run(0);
    return server;
  }

  /** Of the process. */
  get id(): number {
    return this.process?.pid ?? 0;
  }

  private async run(port: number): Promise<void> {
    const args = ['play', '--no-open', '--port', String(port), '--games', this.games];
    if (process.env.GAMBESON_PAGE) args.push('--page', process.env.GAMBESON_PAGE);
    const started = spawn(ENGINE, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.process = started;
    for await (const line of createInterface(started.stdout!)) {
      const address = /http:\S+/.exec(line);
      if (address) {
        this.address = address[0];
        return;
      }
    }
    throw new Error(`${ENGINE} ended without serving`);
  }

  /** As a crash would: at once and without a word. */
  async kill(): Promise<void> {
    const { process } = this;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    process.kill('SIGKILL');
    await once(process, 'exit');
  }

  async restart(): Promise<void> {
    await this.run(Number(new URL(this.address).port));
  }

  async end(): Promise<void> {
    await this.kill();
    await rm(this.games, { recursive: true, force: true });
  }
}

export const test = base.extend<{ server: Server; game: Game }>({
  server: async ({}, use) => {
    const server = await Server.start();
    await use(server);
    await server.end();
  },
  game: async ({ page, server }, use) => {
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    const game = new Game(page);
    await page.goto(server.address);
    await game.isReady();
    await use(game);
    expect(problems).toEqual([]);
  },
});

export { expect };

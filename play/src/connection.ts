// The WebSocket to the server. It reconnects automatically.

import type { Request, Update } from './messages';

const LARGEST_MESSAGE = 64 << 20;
const FIRST_RETRY = 250;
const LAST_RETRY = 3000;

/** The name of this tab's game, kept in the address so that a reload finds it. */
export function gameName(): string {
  const inAddress = location.hash.slice(1);
  if (/^[a-z0-9]{4,32}(-\d{1,9})?$/.test(inAddress)) return inAddress;
  const random = crypto.getRandomValues(new Uint8Array(10));
  const name = Array.from(random, (byte) => (byte % 36).toString(36)).join('');
  history.replaceState(null, '', `#${name}`);
  return name;
}

/** The tab shows another game now. */
export function rename(name: string): void {
  if (location.hash.slice(1) !== name) history.replaceState(null, '', `#${name}`);
}

export class Connection {
  private socket: WebSocket | null = null;
  private retry = FIRST_RETRY;

  constructor(
    private readonly receive: (update: Update) => void,
    private readonly report: (connected: boolean) => void,
  ) {
    // Another name in the address is another game.
    addEventListener('hashchange', () => location.reload());
    this.open();
  }

  private open(): void {
    const socket = new WebSocket(`ws://${location.host}/ws/${gameName()}`);
    this.socket = socket;
    socket.onopen = () => {
      this.retry = FIRST_RETRY;
      this.report(true);
    };
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as Update);
    socket.onclose = () => {
      this.report(false);
      setTimeout(() => this.open(), this.retry);
      this.retry = Math.min(this.retry * 2, LAST_RETRY);
    };
  }

  /** Returns what is wrong if the request could not be sent. */
  send(request: Request): string | null {
    const text = JSON.stringify(request);
    if (new Blob([text]).size > LARGEST_MESSAGE) return 'Too large: the limit is 64 megabytes.';
    if (this.socket?.readyState !== WebSocket.OPEN) return 'Not connected to Gambeson.';
    this.socket.send(text);
    return null;
  }
}

// My games, and the games of large files: a list of any length, of which only what is seen is in the
// page.

import { create, element, setText } from './dom';
import type { GameList, ListedFile, ListedGame } from './messages';

const ROW = 46;
const PART = 100;
/** Browsers draw no element that is much higher: then the list is scrolled faster than it is long. */
const HIGHEST = 8_000_000;

async function call(method: string, path: string, body?: Blob): Promise<Response> {
  const answer = await fetch(`./api/${path}`, { method, ...(body ? { body } : {}) });
  if (!answer.ok) throw new Error((await answer.text()).trim() || answer.statusText);
  return answer;
}

/** A name, whose end has no room on a phone: given names, or how an engine plays. */
function named(name: string): (Node | string)[] {
  const end = name.search(/,| \(/);
  if (end <= 0) return [name || '?'];
  return [name.slice(0, end), create('span', 'given', name.slice(end))];
}

/** As far as it is known. */
function dateText(date: string): string {
  return date.replace(/(\.\?+)+$/, '').replaceAll('.', '-').replace(/^\?+$/, '');
}

export class GamesDialog {
  private readonly dialog = element<HTMLDialogElement>('games-dialog');
  private readonly source = element<HTMLSelectElement>('games-source');
  private readonly search = element<HTMLInputElement>('games-search');
  private readonly host = element('games-list');
  private readonly space = create('div', 'space');
  private parts = new Map<number, ListedGame[]>();
  private found = 0;
  private active = 0;
  /** Answers to older questions are dropped. */
  private asked = 0;
  private timer = 0;
  private takeBack: (() => Promise<unknown>) | null = null;

  constructor(
    private readonly current: () => string,
    private readonly say: (text: string) => void,
  ) {
    this.host.append(this.space);
    element('games-close').addEventListener('click', () => this.dialog.close());
    this.source.addEventListener('change', () => void this.refresh());
    this.search.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.refresh(), 150);
    });
    this.host.addEventListener('scroll', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.host);
    this.host.addEventListener('click', (event) => this.clicked(event));
    this.host.addEventListener('keydown', (event) => this.pressed(event));
    element('games-undo').addEventListener('click', () => {
      const { takeBack } = this;
      this.offerUndo(null, null);
      if (takeBack) void this.attempt(takeBack);
    });
    element('games-delete-file').addEventListener('click', () => {
      const id = this.source.value;
      const name = this.source.selectedOptions[0]?.text ?? '';
      void this.attempt(async () => {
        await call('DELETE', `files/${id}`);
        this.offerUndo(`${name} is deleted.`, () => call('POST', `files/${id}/restore`));
        await this.sources('');
      });
    });
  }

  get isOpen(): boolean {
    return this.dialog.open;
  }

  /** Opens the list of a file, or of one's own games. */
  async open(file = ''): Promise<void> {
    this.search.value = '';
    this.offerUndo(null, null);
    this.problem(null);
    if (!this.dialog.open) this.dialog.showModal();
    await this.attempt(() => this.sources(file));
    this.host.focus();
  }

  /** Hands a file to the server and opens its list. */
  async upload(file: Blob, name: string): Promise<void> {
    const answer = await call('POST', `files?name=${encodeURIComponent(name)}`, file);
    await this.open((await answer.json()) as string);
  }

  private async sources(wanted: string): Promise<void> {
    const files = (await (await call('GET', 'files')).json()) as ListedFile[];
    this.source.replaceChildren(
      new Option('My games', ''),
      ...files.map(({ id, name }) => new Option(name || id, id)),
    );
    this.source.value = wanted;
    if (this.source.selectedIndex < 0) this.source.value = '';
  }

  private async attempt(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.problem((error as Error).message);
      return;
    }
    // What comes next may be a key, which is about what is seen.
    await this.refresh();
  }

  problem(text: string | null): void {
    const place = element('games-problem');
    place.hidden = text === null;
    place.textContent = text;
  }

  private offerUndo(text: string | null, act: (() => Promise<unknown>) | null): void {
    this.takeBack = act;
    element('games-done').hidden = text === null;
    setText(element('games-done-text'), text ?? '');
  }

  private refresh(): Promise<void> {
    this.asked += 1;
    this.parts.clear();
    this.active = 0;
    this.host.scrollTop = 0;
    const own = this.source.value === '';
    element('games-delete-file').hidden = own;
    const exported = element<HTMLAnchorElement>('games-export');
    exported.hidden = !own;
    exported.href = `./api/export?search=${encodeURIComponent(this.search.value)}`;
    return this.fetch(0);
  }

  private async fetch(part: number): Promise<void> {
    const { asked } = this;
    if (this.parts.has(part)) return;
    this.parts.set(part, []);
    const query = new URLSearchParams({
      file: this.source.value,
      search: this.search.value,
      from: String(part * PART),
      count: String(PART),
    });
    try {
      const list = (await (await call('GET', `games?${query}`)).json()) as GameList;
      if (asked !== this.asked) return;
      this.parts.set(part, list.games);
      this.found = list.found;
      const all = list.found === list.total ? '' : ` of ${list.total}`;
      const more = list.complete ? '' : ', still reading…';
      setText(element('games-count'), `${list.found}${all} ${list.total === 1 ? 'game' : 'games'}${more}`);
      element('games-empty').hidden = list.total > 0 || !list.complete;
      if (!list.complete) {
        setTimeout(() => {
          if (asked !== this.asked || !this.dialog.open) return;
          this.parts.delete(part);
          void this.fetch(part);
        }, 300);
      }
      this.draw();
    } catch (error) {
      if (asked === this.asked) this.problem((error as Error).message);
    }
  }

  /** How many pixels of the list one pixel of scrolling is. */
  private get stretch(): number {
    const room = this.host.clientHeight;
    return Math.max(1, (this.found * ROW - room) / Math.max(1, Math.min(this.found * ROW, HIGHEST) - room));
  }

  private draw(): void {
    this.space.style.height = `${Math.min(this.found * ROW, HIGHEST)}px`;
    const top = this.host.scrollTop * this.stretch;
    const first = Math.max(0, Math.floor(top / ROW) - 3);
    const last = Math.min(this.found, Math.ceil((top + this.host.clientHeight) / ROW) + 3);
    const rows: HTMLElement[] = [];
    for (let index = first; index < last; index += 1) {
      const game = this.at(index);
      if (game) rows.push(this.row(game, index, index * ROW - top + this.host.scrollTop));
    }
    this.space.replaceChildren(...rows);
    this.host.setAttribute('aria-activedescendant', `game-${this.active}`);
  }

  private at(index: number): ListedGame | undefined {
    const part = Math.floor(index / PART);
    if (!this.parts.has(part)) void this.fetch(part);
    return this.parts.get(part)?.[index % PART];
  }

  private row(game: ListedGame, index: number, top: number): HTMLElement {
    const moves = Math.ceil(game.plies / 2);
    const row = create(
      'div', 'game',
      create('span', 'who', ...named(game.white), ' – ', ...named(game.black)),
      create('span', 'result', game.result),
      create('span', 'what', [dateText(game.date), `${moves} ${moves === 1 ? 'move' : 'moves'}`, game.name].filter((part) => part).join(' · ')),
    );
    row.id = `game-${index}`;
    row.style.top = `${top}px`;
    row.dataset.index = String(index);
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', String(index === this.active));
    if (game.id === this.current()) row.classList.add('here');
    if (this.source.value === '') {
      row.append(this.tool('rename', '✎', 'Rename'), this.tool('delete', '✕', 'Delete'));
    }
    return row;
  }

  private tool(name: string, text: string, label: string): HTMLElement {
    const button = create('button', `tool ${name}`, text);
    button.type = 'button';
    button.tabIndex = -1;
    button.title = label;
    button.setAttribute('aria-label', label);
    return button;
  }

  private clicked(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index ?? NaN);
    const game = this.at(index);
    if (!game || target.closest('input')) return;
    this.active = index;
    if (target.closest('.rename')) this.rename(index, game);
    else if (target.closest('.delete')) this.remove(game);
    else this.show(game);
  }

  private pressed(event: KeyboardEvent): void {
    if ((event.target as HTMLElement).closest('input')) return;
    const page = Math.max(1, Math.floor(this.host.clientHeight / ROW) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
    };
    const step = steps[event.key];
    const game = this.at(this.active);
    if (step !== undefined) this.go(this.active + step);
    else if (game && event.key === 'Enter') this.show(game);
    else if (game && event.key === 'F2') this.rename(this.active, game);
    else if (game && event.key === 'Delete' && this.source.value === '') this.remove(game);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private go(index: number): void {
    this.active = Math.max(0, Math.min(index, this.found - 1));
    const { stretch } = this;
    const [top, room] = [this.host.scrollTop * stretch, this.host.clientHeight];
    const wanted = Math.min(Math.max(top, (this.active + 1) * ROW - room), this.active * ROW);
    if (wanted !== top) this.host.scrollTop = wanted / stretch;
    this.draw();
  }

  private show(game: ListedGame): void {
    this.dialog.close();
    // The page comes back with the other game.
    if (game.id !== this.current()) location.hash = game.id;
  }

  private rename(index: number, game: ListedGame): void {
    const row = this.host.querySelector<HTMLElement>(`[data-index="${index}"]`);
    if (!row) return;
    const field = create('input', 'new-name');
    field.value = game.name;
    field.setAttribute('aria-label', 'New name');
    row.append(field);
    field.focus();
    field.select();
    let over = false;
    const end = (keep: boolean) => {
      if (over) return;
      over = true;
      field.remove();
      this.host.focus();
      const name = field.value.trim();
      if (!keep || name === game.name) return;
      void this.attempt(() => call('POST', `games/${game.id}/rename?name=${encodeURIComponent(name)}`));
    };
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        end(event.key === 'Enter');
      }
    });
    field.addEventListener('blur', () => end(true));
  }

  private remove(game: ListedGame): void {
    void this.attempt(async () => {
      await call('DELETE', `games/${game.id}`);
      const text = `${game.white || '?'} – ${game.black || '?'} is deleted.`;
      this.offerUndo(text, () => call('POST', `games/${game.id}/restore`));
      this.say(text);
    });
  }
}

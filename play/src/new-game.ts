// The dialog for a new game, or for other players in this one.

import { create, element, reveal } from './dom';
import type { Color, Hello, Level, Player, Request, Start, State, TimeControl } from './messages';

type Send = (request: Request) => void;

/** The fields of one side in the dialog for a new game. */
class SideForm {
  private readonly who: HTMLSelectElement;
  private readonly by: HTMLSelectElement;
  private readonly depth: HTMLInputElement;
  private readonly seconds: HTMLInputElement;
  private readonly timed: HTMLInputElement;
  private readonly minutes: HTMLInputElement;
  private readonly increment: HTMLInputElement;
  private readonly limited: HTMLInputElement;
  private readonly elo: HTMLInputElement;
  private range: { min: number; max: number } | null = null;

  constructor(private readonly host: HTMLElement) {
    this.who = choice([['human', 'Player'], ['engine', 'Gambeson']]);
    this.by = choice([['depth', 'fixed depth'], ['seconds', 'seconds a move'], ['clock', 'clock']]);
    this.depth = number(8, 1, 60, 1);
    this.seconds = number(1, 0.1, 600, 0.1);
    this.timed = create('input', '');
    this.timed.type = 'checkbox';
    this.minutes = number(5, 0.1, 600, 0.1);
    this.increment = number(3, 0, 600, 1);
    this.limited = create('input', '');
    this.limited.type = 'checkbox';
    this.elo = number(1500, 0, 4000, 50);
    const less = step('−', 'Less deep', () => this.depth.stepDown());
    const more = step('+', 'Deeper', () => this.depth.stepUp());
    const part = (name: string, ...content: (Node | string)[]) => {
      const label = create('div', 'field', ...content);
      label.dataset.part = name;
      return label;
    };
    const labelled = (text: string, control: HTMLElement) => create('label', '', `${text} `, control);
    host.append(
      part('who', labelled('Played by', this.who)),
      part('level', labelled('Level', this.by)),
      part('depth', labelled('Depth', this.depth), less, more),
      part('seconds', labelled('Seconds', this.seconds)),
      part('timed', create('label', '', this.timed, ' with a clock')),
      part('clock', labelled('Minutes', this.minutes), labelled('plus seconds', this.increment)),
      part('limit', create('label', '', this.limited, ' limit strength')),
      part('elo', labelled('Elo', this.elo)),
    );
    host.addEventListener('change', () => this.update());
  }

  limits(hello: Hello): void {
    this.depth.max = String(hello.maxDepth);
    this.range = hello.elo;
    if (hello.elo) {
      this.elo.min = String(hello.elo.min);
      this.elo.max = String(hello.elo.max);
    }
  }

  /** Shows only what matters for the choice made. */
  private update(): void {
    const engine = this.who.value === 'engine';
    const clock = engine ? this.by.value === 'clock' : this.timed.checked;
    const visible: Record<string, boolean> = {
      who: true,
      level: engine,
      depth: engine && this.by.value === 'depth',
      seconds: engine && this.by.value === 'seconds',
      timed: !engine,
      clock,
      limit: engine && this.range !== null,
      elo: engine && this.range !== null && this.limited.checked,
    };
    for (const field of this.host.querySelectorAll<HTMLElement>('[data-part]')) {
      reveal(field, visible[field.dataset.part ?? ''] ?? false);
    }
  }

  fill(player: Player): void {
    this.who.value = player.kind;
    const clock = player.kind === 'human' ? player.clock : clockOf(player.level);
    if (clock) {
      this.minutes.value = String(clock.base / 60);
      this.increment.value = String(clock.increment);
    }
    if (player.kind === 'human') {
      this.timed.checked = clock !== null;
    } else {
      this.by.value = player.level.by;
      if (player.level.by === 'depth') this.depth.value = String(player.level.depth);
      if (player.level.by === 'seconds') this.seconds.value = String(player.level.seconds);
      this.limited.checked = player.elo !== null;
      if (player.elo !== null) this.elo.value = String(player.elo);
    }
    this.update();
  }

  read(): Player {
    const clock: TimeControl = {
      base: Math.round(this.minutes.valueAsNumber * 60),
      increment: this.increment.valueAsNumber,
    };
    if (this.who.value === 'human') return { kind: 'human', clock: this.timed.checked ? clock : null };
    const levels: Record<string, Level> = {
      depth: { by: 'depth', depth: Math.round(this.depth.valueAsNumber) },
      seconds: { by: 'seconds', seconds: this.seconds.valueAsNumber },
      clock: { by: 'clock', clock },
    };
    const limited = this.range !== null && this.limited.checked;
    return {
      kind: 'engine',
      level: levels[this.by.value]!,
      elo: limited ? Math.round(this.elo.valueAsNumber) : null,
    };
  }
}

function clockOf(level: Level): TimeControl | null {
  return level.by === 'clock' ? level.clock : null;
}

function choice(options: [string, string][]): HTMLSelectElement {
  const select = create('select', '');
  select.append(...options.map(([value, text]) => new Option(text, value)));
  return select;
}

function number(value: number, min: number, max: number, by: number): HTMLInputElement {
  const input = create('input', '');
  Object.assign(input, { type: 'number', min, max, step: by === 1 ? 1 : 'any', required: true });
  input.value = String(value);
  return input;
}

function step(text: string, label: string, act: () => void): HTMLButtonElement {
  const button = create('button', 'step', text);
  button.type = 'button';
  button.setAttribute('aria-label', label);
  button.addEventListener('click', act);
  return button;
}

export class NewGameDialog {
  private readonly dialog = element<HTMLDialogElement>('new-dialog');
  private readonly kind = element<HTMLSelectElement>('start-kind');
  private readonly sides: Record<Color, SideForm>;

  constructor(private readonly send: Send) {
    const side = (color: Color) =>
      new SideForm(this.dialog.querySelector<HTMLElement>(`[data-side=${color}]`)!);
    this.sides = { white: side('white'), black: side('black') };
    this.kind.addEventListener('change', () => this.update());
    element('start-random').addEventListener('click', () => {
      element<HTMLInputElement>('start-number').value = String(Math.floor(Math.random() * 960));
    });
    element('new-cancel').addEventListener('click', () => this.dialog.close());
    element('new-players').addEventListener('click', () => {
      if (!this.playersAreValid()) return;
      this.ask({ type: 'players', white: this.sides.white.read(), black: this.sides.black.read() });
    });
    this.dialog.querySelector('form')!.addEventListener('submit', (event) => {
      event.preventDefault();
      this.ask({
        type: 'newGame',
        white: this.sides.white.read(),
        black: this.sides.black.read(),
        start: this.start(),
      });
    });
  }

  /** Points out the first field about the players that cannot be used. */
  private playersAreValid(): boolean {
    const fields = this.dialog.querySelectorAll<HTMLInputElement>('.sides input, .sides select');
    return [...fields].every((field) => field.reportValidity());
  }

  get isOpen(): boolean {
    return this.dialog.open;
  }

  /** Asks the server; the dialog stays until it agrees. */
  private ask(request: Request): void {
    this.problem(null);
    this.send(request);
  }

  close(): void {
    this.dialog.close();
  }

  problem(text: string | null): void {
    const place = element('new-problem');
    place.hidden = text === null;
    place.textContent = text;
  }

  private update(): void {
    for (const field of this.dialog.querySelectorAll<HTMLElement>('[data-start]')) {
      reveal(field, field.dataset.start === this.kind.value);
    }
  }

  private start(): Start {
    switch (this.kind.value) {
      case 'chess960':
        return { kind: 'chess960', number: element<HTMLInputElement>('start-number').valueAsNumber };
      case 'named':
        return { kind: 'named', name: element<HTMLSelectElement>('start-name').value };
      case 'fen':
        return { kind: 'fen', fen: element<HTMLInputElement>('start-fen').value };
      default:
        return { kind: 'standard' };
    }
  }

  limits(hello: Hello): void {
    this.sides.white.limits(hello);
    this.sides.black.limits(hello);
    const groups = Map.groupBy(hello.starts, (start) => start.group);
    const options = Array.from(groups, ([group, starts]) => {
      const made = create('optgroup', '', ...starts.map(({ name }) => new Option(name)));
      made.label = group;
      return made;
    });
    element('start-name').replaceChildren(...options);
  }

  open(state: State): void {
    this.sides.white.fill(state.players[0]);
    this.sides.black.fill(state.players[1]);
    this.problem(null);
    this.update();
    this.dialog.showModal();
  }
}

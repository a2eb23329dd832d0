// The fields of the dialog for a new game: an engine's strength, and a clock.

import { create, element, reveal } from './dom';
import type { GameClock, Hello, Player, ThinkingLimit } from './messages';

type Engine = Extract<Player, { kind: 'engine' }>;

/** Up to which Elo, what it is called, and what it means. */
const STRENGTHS: [number, string, string][] = [
  [999, 'beginner', 'knows the rules and overlooks a lot'],
  [1299, 'casual player', 'sees simple threats, loses a piece now and then'],
  [1599, 'club player', 'punishes plain mistakes'],
  [1899, 'strong club player', 'gives little away'],
  [2199, 'expert', 'sees most combinations'],
  [2499, 'master', 'hardly makes a mistake in tactics'],
  [Infinity, 'grandmaster', 'as strong as people get'],
];
const ELO_STEP = 50;
/** How long it thinks if nothing else is asked for, in seconds. */
const USUAL = 1;

export function number(value: number, min: number, max: number, by: number): HTMLInputElement {
  const input = create('input', '');
  Object.assign(input, { type: 'number', min, max, step: by === 1 ? 1 : 'any', required: true });
  input.value = String(value);
  return input;
}

function labelled(text: string, control: HTMLElement): HTMLElement {
  return create('label', '', `${text} `, control);
}

function step(text: string, label: string, act: () => void): HTMLButtonElement {
  const button = create('button', 'step', text);
  button.type = 'button';
  button.setAttribute('aria-label', label);
  button.addEventListener('click', act);
  return button;
}

/** How strongly Gambeson plays a side, and how long it thinks. */
export class EngineForm {
  private readonly strength = create('input', '');
  private readonly meaning = create('output', 'meaning');
  private readonly by = create('select', '');
  private readonly depth = number(8, 1, 60, 1);
  private readonly seconds = number(USUAL, 0.1, 600, 0.1);
  private readonly parts: Record<string, HTMLElement>;
  private range: Hello['elo'] = null;

  constructor(host: HTMLElement) {
    this.strength.type = 'range';
    this.by.append(
      new Option('as the clock allows, else 1 second a move', 'clock'),
      new Option('a fixed time a move', 'seconds'),
      new Option('to a fixed depth', 'depth'),
    );
    const less = step('−', 'Less deep', () => this.depth.stepDown());
    const more = step('+', 'Deeper', () => this.depth.stepUp());
    this.parts = {
      strength: create('div', 'field', labelled('Strength', this.strength), this.meaning),
      by: create('div', 'field', labelled('Thinking time', this.by)),
      seconds: create('div', 'field', labelled('Seconds', this.seconds)),
      depth: create('div', 'field', labelled('Depth', this.depth), less, more),
    };
    host.append(...Object.values(this.parts));
    this.strength.addEventListener('input', () => this.explain());
    this.by.addEventListener('change', () => this.update(true));
  }

  limits(hello: Hello): void {
    this.depth.max = String(hello.maxDepth);
    this.range = hello.elo;
    if (!hello.elo) return;
    // The step after the last one means no limit.
    const { min, max } = hello.elo;
    Object.assign(this.strength, { min, max: max + ELO_STEP, step: ELO_STEP, value: max + ELO_STEP });
  }

  /** Null for no limit. */
  private get elo(): number | null {
    if (!this.range || this.strength.valueAsNumber > this.range.max) return null;
    return this.strength.valueAsNumber;
  }

  private explain(): void {
    const { elo } = this;
    const [, name, means] = STRENGTHS.find(([most]) => (elo ?? 0) <= most)!;
    const text = elo === null ? 'full strength: far beyond people' : `${elo} Elo, ${name}: ${means}`;
    this.meaning.textContent = text;
    this.strength.setAttribute('aria-valuetext', text);
  }

  update(visible: boolean): void {
    const by = this.by.value;
    reveal(this.parts.strength!, visible && this.range !== null);
    reveal(this.parts.by!, visible);
    reveal(this.parts.seconds!, visible && by === 'seconds');
    reveal(this.parts.depth!, visible && by === 'depth');
    this.explain();
  }

  fill({ level, elo }: Engine, timed: boolean): void {
    if (this.range) this.strength.value = String(elo ?? this.range.max + ELO_STEP);
    this.by.value = level.by;
    if (level.by === 'depth') this.depth.value = String(level.depth);
    if (level.by === 'seconds') {
      this.seconds.value = String(level.seconds);
      if (level.seconds === USUAL && !timed) this.by.value = 'clock';
    }
  }

  read(clock: GameClock | null): Player {
    const usual: ThinkingLimit = clock ? { by: 'clock', clock } : { by: 'seconds', seconds: USUAL };
    const levels: Record<string, ThinkingLimit> = {
      depth: { by: 'depth', depth: Math.round(this.depth.valueAsNumber) },
      seconds: { by: 'seconds', seconds: this.seconds.valueAsNumber },
    };
    return { kind: 'engine', level: levels[this.by.value] ?? usual, elo: this.elo };
  }
}

class ClockForm {
  private readonly minutes = number(5, 0.1, 600, 0.1);
  private readonly increment = number(3, 0, 600, 1);

  constructor(host: HTMLElement) {
    host.append(labelled('Minutes', this.minutes), labelled('plus seconds a move', this.increment));
  }

  fill(clock: GameClock): void {
    this.minutes.value = String(clock.base / 60);
    this.increment.value = String(clock.increment);
  }

  read(): GameClock {
    return {
      base: Math.round(this.minutes.valueAsNumber * 60),
      increment: this.increment.valueAsNumber,
    };
  }
}

/** None, one for both, or one for each. */
export class ClocksForm {
  private readonly timed = element<HTMLInputElement>('timed');
  private readonly differ = element<HTMLInputElement>('differ');
  private readonly clocks: [ClockForm, ClockForm];

  constructor(private readonly part: (name: string) => HTMLElement) {
    this.clocks = [new ClockForm(part('clock')), new ClockForm(part('black-clock'))];
    this.timed.addEventListener('change', () => this.update());
    this.differ.addEventListener('change', () => this.update());
  }

  update(): void {
    const timed = this.timed.checked;
    reveal(this.part('clock'), timed);
    reveal(this.part('differ'), timed);
    reveal(this.part('black-clock'), timed && this.differ.checked);
  }

  fill(white: GameClock | null, black: GameClock | null): void {
    this.timed.checked = white !== null || black !== null;
    const one = white ?? black;
    const other = black ?? white;
    if (one) this.clocks[0].fill(one);
    if (other) this.clocks[1].fill(other);
    this.differ.checked = JSON.stringify(one) !== JSON.stringify(other);
  }

  read(): [GameClock | null, GameClock | null] {
    if (!this.timed.checked) return [null, null];
    const [white, black] = this.clocks;
    return [white.read(), (this.differ.checked ? black : white).read()];
  }
}

// What page and server say to each other, as src/web/message.rs has it.

import type { GameClock, MoveView, Player, StartRequest, Update } from './protocol';

export type {
  Color, EngineLimits, EngineLine, EngineSettings, Eval, GameClock, GameList, ListedFile, ListedGame,
  Player, Request, State, ThinkingLimit, Update,
} from './protocol';
export type Move = MoveView;
export type Start = StartRequest;
export type Hello = Extract<Update, { type: 'hello' }>;

export function clockOf(player: Player): GameClock | null {
  if (player.kind === 'human') return player.clock;
  return player.level.by === 'clock' ? player.level.clock : null;
}

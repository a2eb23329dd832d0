// The dialog for what this browser remembers.

import { element } from './dom';
import { change, settings } from './settings';

export function wireSettings(redraw: () => void): (fen: string, version: string) => void {
  const dialog = element<HTMLDialogElement>('settings-dialog');
  const theme = element<HTMLSelectElement>('theme');
  const board = element<HTMLSelectElement>('board-theme');
  const sound = element<HTMLInputElement>('sound');
  const arrows = element<HTMLInputElement>('arrows');
  dialog.addEventListener('change', () => {
    change({
      theme: theme.value as typeof settings.theme,
      board: board.value as typeof settings.board,
      sound: sound.checked,
      arrows: arrows.checked,
    });
    redraw();
  });
  return (fen, version) => {
    theme.value = settings.theme;
    board.value = settings.board;
    sound.checked = settings.sound;
    arrows.checked = settings.arrows;
    element<HTMLInputElement>('fen').value = fen;
    element('version').textContent = version;
    dialog.showModal();
  };
}

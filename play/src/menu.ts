// What can be done with a move of the list, as a menu under the pointer: by the right mouse button, a
// long touch, or the menu key.

import { create } from './dom';

export interface MoveActions {
  /** Whether the move is in a variation. */
  isVariation(id: number): boolean;
  promote(id: number, main: boolean): void;
  comment(id: number): void;
  remove(id: number): void;
}

export class MoveMenu {
  private menu: HTMLElement | null = null;
  /** The move, on which the focus is when the menu is closed. */
  private id = 0;

  constructor(
    private readonly host: HTMLElement,
    private readonly actions: MoveActions,
  ) {
    host.addEventListener('contextmenu', (event) => {
      const move = (event.target as HTMLElement).closest<HTMLElement>('[data-id]');
      if (!move) return;
      event.preventDefault();
      this.open(move, event.clientX, event.clientY);
    });
    addEventListener('pointerdown', (event) => {
      if (!this.menu?.contains(event.target as Node)) this.close();
    });
    // Only the user's scrolling closes it, not the list's own.
    for (const kind of ['wheel', 'touchmove']) addEventListener(kind, () => this.close(), { passive: true });
  }

  private open(move: HTMLElement, x: number, y: number): void {
    this.close();
    const id = Number(move.dataset.id);
    this.id = id;
    const menu = create('div', 'menu');
    menu.setAttribute('role', 'menu');
    menu.setAttribute('aria-label', `What to do with ${move.firstChild?.textContent ?? 'the move'}`);
    const offer = (text: string, act: () => void) => {
      const item = create('button', '', text);
      item.type = 'button';
      item.setAttribute('role', 'menuitem');
      item.addEventListener('click', () => {
        this.close();
        act();
      });
      menu.append(item);
    };
    if (this.actions.isVariation(id)) {
      offer('Promote variation', () => this.actions.promote(id, false));
      offer('Make main line', () => this.actions.promote(id, true));
    }
    offer('Comment', () => this.actions.comment(id));
    offer('Delete from here', () => this.actions.remove(id));
    menu.addEventListener('keydown', (event) => this.pressed(event));
    document.body.append(menu);
    menu.style.left = `${Math.max(4, Math.min(x, innerWidth - menu.offsetWidth - 4))}px`;
    menu.style.top = `${Math.max(4, Math.min(y, innerHeight - menu.offsetHeight - 4))}px`;
    this.menu = menu;
    menu.querySelector('button')?.focus();
  }

  private pressed(event: KeyboardEvent): void {
    const items = [...(this.menu?.querySelectorAll('button') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === 'ArrowDown') items[(at + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp') items[(at + items.length - 1) % items.length]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') this.close();
    // No key of the page works here.
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== ' ') event.preventDefault();
  }

  private close(): void {
    if (!this.menu) return;
    const had = this.menu.contains(document.activeElement);
    this.menu.remove();
    this.menu = null;
    // The list may have been redrawn meanwhile.
    const move = this.host.querySelector<HTMLElement>(`[data-id="${this.id}"]`);
    if (had) move?.focus({ preventScroll: true });
  }
}

// The elements of index.html, and making new ones.

export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found as T;
}

export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

/** Sets text only if it differs, so that screen readers are not told twice. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Shows or hides fields. What is hidden is neither checked nor in the way of those that are. */
export function reveal(field: HTMLElement, visible: boolean): void {
  field.hidden = !visible;
  for (const control of field.querySelectorAll<HTMLInputElement>('input, select, button')) {
    control.disabled = !visible;
  }
}

/**
 * Children that stay the same stay in the page: a button that is replaced between press and release
 * is never clicked.
 */
export function reconcile(host: HTMLElement, children: HTMLElement[]): void {
  const old = [...host.children];
  children.forEach((child, index) => {
    const before = old[index];
    if (!before) host.append(child);
    else if (!before.isEqualNode(child)) before.replaceWith(child);
  });
  old.slice(children.length).forEach((child) => child.remove());
}

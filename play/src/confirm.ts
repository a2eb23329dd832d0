// A question before something that cannot be undone.

import { element } from './dom';

export function confirm(question: string, yes: string, no: string, act: () => void): void {
  const dialog = element<HTMLDialogElement>('confirm-dialog');
  element('confirm-question').textContent = question;
  element('confirm-yes').textContent = yes;
  element('confirm-no').textContent = no;
  dialog.returnValue = '';
  dialog.addEventListener('close', () => dialog.returnValue === 'yes' && act(), { once: true });
  dialog.showModal();
}

import type { Caller } from '../api.ts';
import type { Browser } from './browser.ts';

/** Signs somebody in without the form. Returns the languages that the browser asks for. */
export async function signInTo(browser: Browser, address: string, { token, id, name, email }: Caller): Promise<string> {
  await browser.driver.go(`${address}/privacy`);
  await browser.sees('Privacy');
  return browser.driver.run(
    (session: { token: string; user: object }) => {
      localStorage.setItem('token', session.token);
      localStorage.setItem('user', JSON.stringify(session.user));
      return navigator.languages.join(' ');
    },
    { token, user: { id, name, email } },
  );
}

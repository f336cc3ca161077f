// Pages as a browser asks for them.
import type { Contender } from "./processes";

/** Through the form, as without JavaScript. @returns the cookies as they are sent back */
export async function logIn(
  { url }: Contender,
  { email, password }: { email: string; password: string | null },
): Promise<string> {
  const body = new URLSearchParams({ email, password: password! });
  const answer = await fetch(`${url}/login`, { method: "POST", body, headers: { origin: url }, redirect: "manual" });
  const cookies = answer.headers.getSetCookie().map((header) => header.split(";", 1)[0]!);
  if (answer.status !== 302 || cookies.length === 0) throw new Error(`Logging in was answered ${answer.status}.`);
  return cookies.join("; ");
}

/** How long a page takes to arrive whole, in ms, so many times one after the other. @throws Error unless it is answered 200, itself and not where it leads */
export async function answerTimes(address: string, cookie: string, views: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < views; i++) {
    const started = performance.now();
    const answer = await fetch(address, { headers: { cookie, accept: "text/html" }, redirect: "manual" });
    await answer.arrayBuffer();
    times.push(performance.now() - started);
    if (answer.status !== 200) throw new Error(`${address} was answered ${answer.status}.`);
  }
  return times;
}

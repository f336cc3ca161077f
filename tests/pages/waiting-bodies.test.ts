// Connections whose requests never come whole: they hold themselves, and nobody else.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { removeOperator } from "../../server/services/accounts/operators";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { signIn } from "../support/roles";
import { logOf, testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);

/** A connection on which this was sent; it is open until the test ends it. */
async function sent(text: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

/** The head of the first answer on a connection. */
async function answered(socket: Socket): Promise<string> {
  let head = "";
  while (!head.includes("\r\n\r\n")) head += String((await once(socket, "data"))[0]);
  return head;
}

it("a thousand calls without their bodies leave the pages to everybody else", async () => {
  const host = `Host: ${new URL(server.url).host}`;
  const whole = `GET /healthz HTTP/1.1\r\n${host}\r\n\r\n`;
  const begun = [
    ...["POST /api/mcp HTTP/1.1", host, "Content-Type: application/json"],
    ...["Accept: application/json, text/event-stream", "Content-Length: 9", "", ""],
  ].join("\r\n");
  // Once the first is answered, the second has been read: they came together.
  const sockets = await Promise.all(
    Array.from({ length: 1_100 }, async () => {
      const socket = await sent(whole + begun);
      expect(await answered(socket)).toMatch(/^HTTP\/1\.1 200 /);
      return socket;
    }),
  );
  for (const page of ["/login", "/", "/docs"]) expect((await fetch(server.url + page)).status, page).toBe(200);
  for (const socket of sockets) socket.destroy();
});

it("a catalogue's form is begun by its merchant alone: everybody else is refused before any of it is waited for", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, (await makeStore(database)).merchantId);
  const stranger = await signIn(database, { id: accountId });
  const form = (...headers: string[]) =>
    [
      ...[`POST /merchant/catalogue/${store.id} HTTP/1.1`, `Host: ${new URL(server.url).host}`, ...headers],
      ...[`Origin: ${server.url}`, "Content-Type: multipart/form-data; boundary=b", "Content-Length: 9000000"],
      ...["", '--b\r\nContent-Disposition: form-data; name="endless"\r\n\r\na'],
    ].join("\r\n");
  const nobody = await sent(form());
  expect(await answered(nobody)).toMatch(/^HTTP\/1\.1 302 .*\r\nlocation: \/login/is);
  const another = await sent(form(`Cookie: ${stranger}`));
  expect(await answered(another)).toMatch(/^HTTP\/1\.1 404 /);
  for (const socket of [nobody, another]) socket.destroy();
});

it("a call of a procedure that breaks off is its caller's affair: the log tells of no failure of ours", async () => {
  const begun = [
    ...["POST /api/trpc/account.logIn HTTP/1.1", `Host: ${new URL(server.url).host}`, `Origin: ${server.url}`],
    ...["Content-Type: application/json", "Content-Length: 9", "", "{"],
  ].join("\r\n");
  const socket = await sent(begun);
  // Once this is answered, the call has been under way for a while.
  expect((await fetch(`${server.url}/login`)).status).toBe(200);
  socket.destroy();
  await once(socket, "close");
  await fetch(`${server.url}/login`);
  expect(await logOf(server)).not.toContain('"level":50');
});

it("who acts by a procedure is asked once its body is there: whoever was removed meanwhile does nothing", async () => {
  const operator = await makeAccount(database, { isOperator: true });
  const cookie = await signIn(database, operator);
  const { id: consumerId, owner } = await makeConsumer(database);
  const other = await makeAccount(database);
  const body = JSON.stringify({ consumerId, email: other.email, role: "owner", lastDay: null });
  const begun = [
    ...["POST /api/trpc/consumers.addMember HTTP/1.1", `Host: ${new URL(server.url).host}`, `Origin: ${server.url}`],
    ...[`Cookie: ${cookie}`, "Content-Type: application/json", `Content-Length: ${body.length}`, "", ""],
  ].join("\r\n");
  const socket = await sent(begun);
  // The call is under way once another that came after it has been answered.
  for (let i = 0; i < 3; i++) expect((await fetch(`${server.url}/login`)).status).toBe(200);
  await removeOperator(database.as({ kind: "operator", accountId: null }), { email: operator.email });
  socket.write(body);
  expect(await answered(socket)).toMatch(/^HTTP\/1\.1 40[13] /);
  const members = await database.sql`select account_id from members where consumer_id = ${consumerId}`;
  expect(members).toEqual([{ account_id: owner.id }]);
  socket.destroy();
});

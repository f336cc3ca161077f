// What happens to the service when something happens to its own process: no answer is wrong, nothing that was answered
// is lost, and it goes on by itself.
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { expectUnharmed, faulty, rounds, TIMEOUT_MS, underLoad } from "../support/faulty";

const service = faulty();

describe("a server", () => {
  it.each(rounds)(
    "that is killed -9, again and again, has a row for each call that it answered, and every change that it acknowledged (round %i)",
    async () => {
      const seen = await underLoad(service, {
        async hurt() {
          for (let i = 0; i < 3; i++) {
            await service.server.stop("SIGKILL");
            await service.restart();
            await sleep(500);
          }
        },
        mend: async () => {},
      });
      await expectUnharmed(service, seen, { silent: true });
    },
    TIMEOUT_MS,
  );

  it.each(rounds)(
    "whose event loop stands still for 4 s answers what waits, or says 503, and loses nothing (round %i)",
    async () => {
      const seen = await underLoad(service, {
        async hurt() {
          service.server.process.kill("SIGSTOP");
          await sleep(4_000);
        },
        mend: async () => void service.server.process.kill("SIGCONT"),
      });
      await expectUnharmed(service, seen, { silent: true });
    },
    TIMEOUT_MS,
  );
});

describe("a server whose files and connections are used up", () => {
  const OPEN_FILES = 256;
  beforeAll(async () => {
    await service.server.stop();
    await service.restart({ openFiles: OPEN_FILES });
  }, TIMEOUT_MS);

  it.each(rounds)(
    "serves those who are let in, never wrongly, and everybody once the others are gone (round %i)",
    async () => {
      const { hostname, port } = new URL(service.server.url);
      const idle = Array.from({ length: 2 * OPEN_FILES }, () => connect(Number(port), hostname).on("error", () => {}));
      const seen = await underLoad(service, {
        async hurt() {
          await sleep(4_000);
          // Up to what it keeps for itself to refuse the rest with.
          const open = await readdir(`/proc/${service.server.process.pid}/fd`);
          expect(open.length).toBeGreaterThan(OPEN_FILES - 5);
        },
        mend: async () => {
          for (const socket of idle) socket.destroy();
        },
      });
      await expectUnharmed(service, seen, { silent: true });
    },
    TIMEOUT_MS,
  );
});

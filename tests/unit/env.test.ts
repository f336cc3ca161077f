import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { publicUrl, readEnv } from "../../server/env";
import { allowedHosts } from "../../server/http";
import { makeFolder } from "../support/folder";

const DATA_DIR = mkdtempSync(join(tmpdir(), "aisle-env-"));
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));
const read = (given: Record<string, string> = {}) => readEnv({ DATA_DIR, ...given } as unknown as NodeJS.ProcessEnv);

describe("the environment", () => {
  it("is local, not production, unless it says so", () => {
    expect(read().NODE_ENV).toBe("local");
    expect(read({ NODE_ENV: "production" }).NODE_ENV).toBe("production");
    expect(() => read({ NODE_ENV: "prod" })).toThrow("NODE_ENV");
  });

  it("has no secret that everybody knows: one is made for the embedded database, and must be given for another", () => {
    const secret = read().SECRET_KEY;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(read().SECRET_KEY).toBe(secret);
    expect(statSync(join(DATA_DIR, "secret-key")).mode & 0o077).toBe(0);
    const elsewhere = readEnv({ DATA_DIR: makeFolder() } as unknown as NodeJS.ProcessEnv);
    expect(elsewhere.SECRET_KEY).not.toBe(secret);
    const DATABASE_URL = "postgres://aisle@localhost/aisle";
    for (const given of [{}, { SECRET_KEY: "" }] as Record<string, string>[])
      expect(() => read({ DATABASE_URL, ...given })).toThrow("SECRET_KEY: is required with DATABASE_URL");
    expect(() => read({ DATABASE_URL, SECRET_KEY: "short" })).toThrow("SECRET_KEY: must have at least 32 characters");
  });

  it("takes no sslmode by which pages would be served while no job ever runs", () => {
    const given = (query: string) => ({
      DATABASE_URL: `postgres://aisle@localhost/aisle${query}`,
      SECRET_KEY: "secret".repeat(6),
    });
    for (const query of ["", "?sslmode=disable", "?sslmode=require", "?sslmode=verify-full&x=1"])
      expect(read(given(query)).DATABASE_URL).toBe(given(query).DATABASE_URL);
    for (const mode of ["allow", "prefer", "verify-ca", "no-verify", ""])
      expect(() => read(given(`?sslmode=${mode}`))).toThrow("DATABASE_URL: may have sslmode disable, require");
  });

  it("takes no port for metrics that pages are served at, and the same one on another address", () => {
    const twice = { PORT: "4719", METRICS_PORT: "4719" };
    const overlapping: Record<string, string>[] = [
      {},
      { HOST: "0.0.0.0" },
      { HOST: "localhost" },
      { HOST: "10.0.0.1", METRICS_HOST: "::" },
    ];
    for (const hosts of overlapping)
      expect(() => read({ ...twice, ...hosts }), JSON.stringify(hosts)).toThrow("METRICS_PORT: must not be PORT");
    expect(() => read({ METRICS_PORT: "3000" })).toThrow("METRICS_PORT: must not be PORT");
    expect(read({ ...twice, HOST: "10.0.0.1" }).METRICS_PORT).toBe(4719);
    expect(read({ PORT: "0", METRICS_PORT: "0" }).METRICS_PORT).toBe(0);
  });

  it("names a folder for data that cannot be made, rather than try for ever", () => {
    for (const DATA_DIR of ["/proc/aisle", "/proc/aisle/data", "/dev/null/data"]) {
      expect(() => readEnv({ DATA_DIR } as unknown as NodeJS.ProcessEnv)).toThrow(
        `DATA_DIR: ${DATA_DIR} cannot be made`,
      );
    }
  });

  it("names what is there for data and can hold none: a file, or a folder that is another user's", () => {
    const folder = makeFolder();
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    const read = (DATA_DIR: string) => () => readEnv({ DATA_DIR } as unknown as NodeJS.ProcessEnv);
    expect(read(file)).toThrow(`DATA_DIR: ${file} cannot be written to (ENOTDIR)`);
    chmodSync(folder, 0o500);
    // Nothing is closed to root.
    if (process.getuid?.() !== 0) expect(read(folder)).toThrow(`DATA_DIR: ${folder} cannot be written to (EACCES)`);
    chmodSync(folder, 0o700);
  });

  it("makes a folder for data with those above it, and takes no secret of which a part is missing", () => {
    const DATA_DIR = join(makeFolder(), "a", "b");
    const read = () => readEnv({ DATA_DIR } as unknown as NodeJS.ProcessEnv).SECRET_KEY;
    expect(read()).toBe(read());
    expect(readdirSync(DATA_DIR)).toEqual(["secret-key"]);
    for (const part of ["", read().slice(0, 31)]) {
      writeFileSync(join(DATA_DIR, "secret-key"), part);
      expect(read).toThrow("secret-key is not whole");
    }
  });

  it("wants a sender with an SMTP server, and names what is missing", () => {
    expect(() => read({ SMTP_URL: "smtp://localhost" })).toThrow("MAIL_FROM: is required with SMTP_URL");
    expect(() => read({ SMTP_URL: "http://localhost", MAIL_FROM: "a@b.example" })).toThrow("SMTP_URL");
    for (const MAIL_FROM of ["no address", "a@b.example\r\nBcc: c@d.example", "Aisle <>"]) {
      expect(() => read({ MAIL_FROM })).toThrow("MAIL_FROM");
    }
    expect(read({ SMTP_URL: "smtps://u:p@localhost:465", MAIL_FROM: "Aisle <a@b.example>" }).SMTP_URL).toContain(
      "smtps:",
    );
  });

  it("takes one plain address for support", () => {
    for (const SUPPORT_EMAIL of ["help", "Help <a@b.example>", "a@b.example, c@d.example"]) {
      expect(() => read({ SUPPORT_EMAIL })).toThrow("SUPPORT_EMAIL: must be an address");
    }
    expect(read({ SUPPORT_EMAIL: "help+aisle@b.example" }).SUPPORT_EMAIL).toBe("help+aisle@b.example");
    expect(read({ SUPPORT_EMAIL: "" }).SUPPORT_EMAIL).toBeUndefined();
  });

  it("takes the secret keys of before, each as long as the present one, which is not among them", () => {
    const [now, before, once] = ["n", "b", "o"].map((letter) => letter.repeat(32)) as [string, string, string];
    const previous = (SECRET_KEY_PREVIOUS: string) =>
      read({ SECRET_KEY: now, SECRET_KEY_PREVIOUS }).SECRET_KEY_PREVIOUS;
    expect(previous("")).toEqual([]);
    expect(previous(`${before}, ${once}`)).toEqual([before, once]);
    for (const wrong of ["short", `${before},`, `${before},${now}`, Array(6).fill(before).join(",")])
      expect(() => previous(wrong), wrong).toThrow("SECRET_KEY_PREVIOUS");
  });

  it("opens the inside of the network to feeds in tests alone", () => {
    expect(read({ NODE_ENV: "test", FEED_ADDRESSES: "127.0.0.1" }).FEED_ADDRESSES).toEqual(["127.0.0.1"]);
    for (const NODE_ENV of ["production", "local", "development"])
      expect(() => read({ NODE_ENV, FEED_ADDRESSES: "127.0.0.1" })).toThrow("FEED_ADDRESSES");
  });

  it("reads BASE_URL in any case, with blanks around it or a slash at its end: cookies, headers and printed calls follow it", () => {
    for (const BASE_URL of ["HTTPS://Aisle.example", " https://aisle.example ", "https://aisle.example/"])
      expect(read({ BASE_URL }).BASE_URL).toBe("https://aisle.example");
  });

  it("lets the server be called by the name that it prints, BASE_URL's or HOST's", () => {
    expect([...allowedHosts(read({ HOST: "Devbox" }))]).toEqual(["localhost", "devbox"]);
    expect([...allowedHosts(read({ HOST: "::", BASE_URL: "https://Aisle.example" }))]).toContain("aisle.example");
  });

  it("takes BASE_URL without a path alone, which links would lose, and says so", () => {
    for (const BASE_URL of ["https://aisle.example", "http://10.0.0.7:3000", "http://[::1]:3000"])
      expect(read({ BASE_URL }).BASE_URL).toBe(BASE_URL);
    for (const BASE_URL of [
      "https://x.example/aisle",
      "https://x.example/?a",
      "aisle.example",
      "ftp://x.example",
      "https://u@x.example",
    ])
      expect(() => read({ BASE_URL })).toThrow(/BASE_URL: must be where the public reaches us.*without a path/);
  });

  it("names what an address must be like", () => {
    const wrong = { DATABASE_URL: "mysql://x", SMTP_URL: "http://x", OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" };
    expect(() => read(wrong)).toThrow(
      /DATABASE_URL: must be postgres:.*SMTP_URL: must be smtp:.*ENDPOINT: must be http:/s,
    );
    const none = { DATABASE_URL: "aisle", SECRET_KEY: "secret".repeat(6), SECRET_SCANNING_KEYS_URL: "keys" };
    expect(() => read(none)).toThrow(/DATABASE_URL: must be postgres:.*SECRET_SCANNING_KEYS_URL: must be https:/s);
  });

  it("takes as allowed only what can be in a header: an origin without a path, a name without scheme and port", () => {
    const ALLOWED_ORIGINS = "https://Friend.example, chrome-extension://abcdef, http://localhost:8080";
    expect(read({ ALLOWED_ORIGINS, ALLOWED_HOSTS: "Shops.example,inner" })).toMatchObject({
      ALLOWED_ORIGINS: ["https://friend.example", "chrome-extension://abcdef", "http://localhost:8080"],
      ALLOWED_HOSTS: ["shops.example", "inner"],
    });
    for (const origin of ["friend.example", "https://friend.example/", "https://friend.example/app", "*"])
      expect(() => read({ ALLOWED_ORIGINS: origin }), origin).toThrow(/ALLOWED_ORIGINS\.0: must be an origin/);
    for (const host of ["https://shops.example", "shops.example:8443", "*.shops.example", "shops.example/"])
      expect(() => read({ ALLOWED_HOSTS: host }), host).toThrow(/ALLOWED_HOSTS\.0: must be a name/);
  });

  it("tells where the public reaches us: BASE_URL, or the address that we listen on", () => {
    expect(publicUrl(read({ BASE_URL: "https://aisle.example" }), 3000)).toBe("https://aisle.example");
    expect(publicUrl(read({ HOST: "::1" }), 4000)).toBe("http://[::1]:4000");
  });
});

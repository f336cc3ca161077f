// The environment, parsed once: no other file of ours reads a variable (some pass all of them on, to here or to programs
// that they start). Everything that is missing or wrong is named at once.
import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((item) => item.trim().toLowerCase())
      .filter(Boolean),
  );

/** Links begin at its root: a path would be lost. */
const isOrigin = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
};
const isLoopback = (host: string) => ["localhost", "127.0.0.1", "[::1]"].includes(host);
/** Whether two hosts cannot have the same port: they are one, or one of them is every address of the machine. */
const overlap = (one: string, other: string): boolean =>
  one === other || [one, other].some((host) => ["0.0.0.0", "::"].includes(host)) || [one, other].every(isLoopback);
/** What our own driver and that of the jobs take alike; null where the address names none. */
const sslModes: ReadonlySet<string | null> = new Set([null, "disable", "require", "verify-full"]);
const SecretKey = z.string().min(32, "must have at least 32 characters");

const Environment = z
  .object({
    /** `local`: built and quick as in production, but one may look into mails that were not really sent. */
    NODE_ENV: z.enum(["local", "development", "production", "test"]).default("local"),
    HOST: z.string().min(1).default("127.0.0.1"),
    PORT: z.coerce.number().int().min(0).max(65535).default(3000),
    /** Where the public reaches us; links in mails and the own Origin come from here. */
    BASE_URL: z
      .string()
      .refine(isOrigin, "must be where the public reaches us, such as https://aisle.example, without a path")
      // Whatever asks whether it is https looks at how it begins; a path is put behind it as it is.
      .transform((text) => new URL(text).origin)
      .optional(),
    /** Without it the embedded PostgreSQL is used. */
    DATABASE_URL: z
      .url({ protocol: /^postgres(ql)?$/, error: "must be postgres://user:password@host/database", abort: true })
      .optional(),
    /** Signs cursors and links, keys the hashes of what clients name. Made and kept in DATA_DIR for the embedded database. */
    SECRET_KEY: SecretKey.optional(),
    /** Earlier values of SECRET_KEY, newest first: signatures made with them still hold. */
    SECRET_KEY_PREVIOUS: z
      .string()
      .default("")
      .transform((text) => (text === "" ? [] : text.split(",").map((key) => key.trim())))
      .pipe(z.array(SecretKey).max(5, "may have five keys at most")),
    DATA_DIR: z.string().min(1).default(".data"),
    /** `smtp://user:password@host:587` or `smtps://…`. Without it mails wait (production) or are shown on /dev/mail. */
    SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be smtp://… or smtps://…" }).optional(),
    MAIL_FROM: z
      .string()
      .regex(/^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, "must be an address, or `Name <address>`")
      .optional(),
    /** Where people write to for help: pages link to it, and answers to our mails go there. */
    SUPPORT_EMAIL: z.email("must be an address").optional(),
    /** `required`: the desk is closed to operators whose log-in asks for no code. */
    OPERATORS_SECOND_FACTOR: z.enum(["optional", "required"]).default("optional"),
    // What can be in no header would be allowed in vain.
    ALLOWED_ORIGINS: list.pipe(
      z.array(
        z
          .string()
          .regex(/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+$/, "must be an origin such as app://desktop, without a path"),
      ),
    ),
    ALLOWED_HOSTS: list.pipe(
      z.array(
        z
          .string()
          .regex(/^[a-z\d_-]+(\.[a-z\d_-]+)*$/, "must be a name such as shops.example, without scheme and port"),
      ),
    ),
    /** How many proxies in front of us write X-Forwarded-For; 0 ignores the header. */
    TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
    /**
     * For how many seconds a server that was told to stop goes on answering before it closes its port. Meanwhile /readyz says
     * 503 and each answer ends its connection, so that load balancers go elsewhere.
     */
    DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(0),
    /** Prometheus metrics at `/metrics` on this port; off without it. Not for the public. */
    METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
    METRICS_HOST: z.string().min(1).default("127.0.0.1"),
    /** OpenTelemetry traces go to `<this>/v1/traces` (OTLP over HTTP); off without it. */
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: "must be http://… or https://…" }).optional(),
    OTEL_SERVICE_NAME: z.string().min(1).default("aisle"),
    /** Where GitHub publishes the keys that it signs reports of leaked keys with. */
    SECRET_SCANNING_KEYS_URL: z
      .url({ protocol: /^https?$/, error: "must be https://…", abort: true })
      .refine((url) => url.startsWith("https:") || isLoopback(new URL(url).hostname), "must be https://…")
      .default("https://api.github.com/meta/public_keys/secret_scanning"),
    /** For tests alone: addresses that feeds may be fetched from although they are not public. */
    FEED_ADDRESSES: list,
    LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  })
  .refine((env) => !env.DATABASE_URL || env.SECRET_KEY, {
    path: ["SECRET_KEY"],
    message: "is required with DATABASE_URL: at least 32 random characters, the same on every instance",
  })
  .refine((env) => !env.DATABASE_URL || sslModes.has(new URL(env.DATABASE_URL).searchParams.get("sslmode")), {
    path: ["DATABASE_URL"],
    message:
      "may have sslmode disable, require or verify-full, and no other: what serves and what runs jobs differ about those",
  })
  .refine((env) => !env.SECRET_KEY || !env.SECRET_KEY_PREVIOUS.includes(env.SECRET_KEY), {
    path: ["SECRET_KEY_PREVIOUS"],
    message: "must not have SECRET_KEY itself: a key that has leaked is dropped, not kept",
  })
  .refine((env) => env.FEED_ADDRESSES.length === 0 || env.NODE_ENV === "test", {
    path: ["FEED_ADDRESSES"],
    message: "is for tests (NODE_ENV=test): it would open the inside of your network to merchants",
  })
  .refine((env) => env.PORT === 0 || env.METRICS_PORT !== env.PORT || !overlap(env.HOST, env.METRICS_HOST), {
    path: ["METRICS_PORT"],
    message: "must not be PORT, which pages and tools are served at: give metrics a port of their own",
  })
  .refine((env) => !env.SMTP_URL || env.MAIL_FROM, {
    path: ["MAIL_FROM"],
    message: "is required with SMTP_URL: the sender of our mails, such as `Aisle <no-reply@example.com>`",
  });

export type Env = Omit<z.infer<typeof Environment>, "SECRET_KEY"> & { SECRET_KEY: string };

/**
 * Reads and checks the environment.
 * @throws Error with one line for each variable that is missing or wrong.
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  // An empty variable is an unset one, as in a copied .env.example.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The environment is not right (see .env.example):\n${lines.join("\n")}`);
  }
  if (!parsed.data.DATABASE_URL) makeDataDir(parsed.data.DATA_DIR);
  return { ...parsed.data, SECRET_KEY: parsed.data.SECRET_KEY ?? keptSecret(parsed.data.DATA_DIR) };
}

/** Where the service is reached. @param port the one it listens on, where PORT is 0 */
export const publicUrl = (env: Pick<Env, "BASE_URL" | "HOST" | "PORT">, port = env.PORT): string =>
  env.BASE_URL ?? `http://${env.HOST.includes(":") ? `[${env.HOST}]` : env.HOST}:${port}`;

/** @throws Error that names the variable */
function makeDataDir(dataDir: string): void {
  const folder = resolve(dataDir);
  let [cannot, instead] = ["made", "Name another folder."];
  try {
    makeFolder(folder);
    [cannot, instead] = ["written to", "Name another folder, or start as the user whose it is."];
    // With what makes it a folder: a file of that name is none.
    accessSync(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`DATA_DIR: ${dataDir} cannot be ${cannot} (${(error as NodeJS.ErrnoException).code}). ${instead}`);
  }
}

/** Node's `recursive` option never ends where the system allows no directory at all, as under /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  unlessThere(() => mkdirSync(path));
}

/** The embedded default's own secret: made whole at the first start, readable by its owner alone. */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, "secret-key");
  if (!existsSync(file)) {
    // Not by the process's id alone, which two containers may share.
    const made = `${file}.${randomBytes(6).toString("hex")}`;
    try {
      writeFileSync(made, randomBytes(32).toString("base64url"), { mode: 0o600 });
      unlessThere(() => placeWhole(made, file));
    } finally {
      rmSync(made, { force: true });
    }
  }
  const secret = readFileSync(file, "utf8");
  if (!SecretKey.safeParse(secret).success)
    throw new Error(`${file} is not whole. Put it back, or remove it to have another one made.`);
  return secret;
}

/** Never over an existing file, and never half of it, unless the file system has no hard links: there the first start is alone. */
function placeWhole(made: string, file: string): void {
  try {
    linkSync(made, file);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw error;
    copyFileSync(made, file, constants.COPYFILE_EXCL);
  }
}

/** Another process may be making it at this moment, which is as good. */
function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

// Statements put together from fragments, cheaply. postgres.js makes a promise of every fragment and builds the text anew
// for each call, and a search has eighty. Here a fragment is a plain object, and a text is built once (decision 0029), so
// that postgres.js finds what it has prepared without reading the text again.
import type postgres from "postgres";
import type { Sql } from "./client";

type Query = postgres.PendingQuery<postgres.Row[]>;
/** A client, or a transaction's. */
type Client = Pick<Sql, "unsafe"> & ((template: TemplateStringsArray, ...values: never[]) => Query);

/** Runs work when its turn has come, and gives its outcome. */
export interface InTurn {
  <T>(work: () => Promise<T>): Promise<T>;
  /** Called before a transaction is committed: where it throws, the transaction is rolled back instead. */
  beforeCommit?: () => void;
}

const prepared = { prepare: true, simple: false };

/**
 * Commits a tiny log record and waits until it is on disk. PostgreSQL writes its log in order, so everything committed before is
 * then on disk, too.
 */
const FLUSH = "select pg_logical_emit_message(true, 'aisle', '')";

/** A template with its values. It is either a part of another statement, or a query, which begins when it is awaited. */
class Statement {
  private begun: Query | undefined;

  constructor(
    private readonly client: Client,
    readonly template: TemplateStringsArray,
    readonly values: readonly unknown[],
    private readonly inTurn: InTurn | undefined,
  ) {}

  private get query(): Query {
    this.begun ??= this.inTurn ? (this.inTurn(() => this.begin()) as Query) : this.begin();
    return this.begun;
  }

  private begin(options?: { behind: () => Query }): Query {
    const parameters: unknown[] = [];
    const text = textOf(this, parameters);
    if (text !== undefined)
      return this.client.unsafe(text, parameters as never[], { ...prepared, ...options } as never) as never;
    if (options) throw new TypeError("What has helpers in it can have nothing behind it.");
    return this.asItIs();
  }

  /** See `flushing`. */
  async flushing() {
    let flush: Query | undefined;
    const behind = () => {
      flush = this.client.unsafe(FLUSH, [], prepared as never) as never;
      return flush;
    };
    const rows = await this.begin({ behind });
    return { rows, onDisk: flush as Promise<unknown> };
  }

  /** The same as a query that postgres.js puts together itself: for statements with helpers such as `sql(rows)` in them. */
  asItIs(): Query {
    return this.client(this.template, ...(this.values.map(asItIs) as never[]));
  }

  // biome-ignore lint/suspicious/noThenProperty: awaited like a query of postgres.js
  then(onFulfilled?: (rows: unknown) => unknown, onRejected?: (error: unknown) => unknown): Promise<unknown> {
    return this.query.then(onFulfilled, onRejected);
  }
  catch(onRejected: (error: unknown) => unknown): Promise<unknown> {
    return this.query.catch(onRejected);
  }
  finally(onFinally: () => void): Promise<unknown> {
    return this.query.finally(onFinally);
  }
  readable() {
    return this.query.readable();
  }
  writable() {
    return this.query.writable();
  }
}

const constants = new Map<number, TemplateStringsArray>();

/**
 * SQL: a number of the code's own, never a caller's, written into the text of the statement, so that the plan that all its
 * callers share is made for it.
 */
export function constant(sql: Sql, value: number): Query {
  let template = constants.get(value);
  if (!template) {
    template = Object.assign([String(value)], { raw: [String(value)] });
    constants.set(value, template);
  }
  return sql(template);
}

const isPart = (value: unknown): boolean =>
  value instanceof Statement || (Array.isArray(value) && value[0] instanceof Statement);

function asItIs(value: unknown): unknown {
  if (value instanceof Statement) return value.asItIs();
  return isPart(value) ? (value as unknown[]).map(asItIs) : value;
}

/**
 * Texts are kept in a tree, in which a statement is a path. `key` is what comes next in the statement: a template, a name, PARAMETER
 * for a new parameter, or the number of an earlier one that is used again.
 */
interface Step {
  key: unknown;
  next: Map<unknown, Step>;
  /** The step that was taken from here last: mostly the only one. */
  last?: Step;
  /** The text of the statement that ends here. */
  text?: string;
}
const PARAMETER = Symbol("parameter");
/** How many texts are kept. The code has a limited number of shapes, but in some a caller decides how often a part repeats. */
const MOST_TEXTS = 2_000;
const begin = (): Step => ({ key: undefined, next: new Map() });
let root = begin();
let texts = 0;

/**
 * The text of a statement, with $1, $2 … for its parameters, which are added to `parameters`.
 * @returns undefined where a helper of postgres.js is in it: then only postgres.js can build it
 */
function textOf(statement: Statement, parameters: unknown[]): string | undefined {
  const end = walk(root, statement, parameters);
  if (end && end.text === undefined) {
    if (texts >= MOST_TEXTS) {
      root = begin();
      texts = 0;
    }
    texts += 1;
    end.text = build(statement, []);
  }
  return end?.text;
}

function walk(from: Step, { template, values }: Statement, parameters: unknown[]): Step | undefined {
  let step: Step | undefined = after(from, template);
  for (const value of values) {
    if (value instanceof Statement) step = walk(step, value, parameters);
    else if (typeof value !== "object") {
      parameters.push(value);
      step = after(step, PARAMETER);
    } else if (isIdentifier(value)) step = after(step, value.value);
    else if (isPart(value) || isHelper(value)) return undefined;
    else {
      const { length } = parameters;
      const place = placeOf(value, parameters);
      step = after(step, place === length ? PARAMETER : place);
    }
    if (!step) return undefined;
  }
  return step;
}

/**
 * The place (from 0) of a value among the parameters, to which it is added. A Date that is there already is used again: dozens of
 * fragments have the moment of the call as a parameter, and it is sent once.
 */
function placeOf(value: unknown, parameters: unknown[]): number {
  const place = value instanceof Date ? parameters.indexOf(value) : -1;
  return place < 0 ? parameters.push(value) - 1 : place;
}

function after(step: Step, key: unknown): Step {
  const { last } = step;
  if (last && last.key === key) return last;
  let found = step.next.get(key);
  if (!found) {
    found = { key, next: new Map() };
    step.next.set(key, found);
  }
  step.last = found;
  return found;
}

function build({ template, values }: Statement, parameters: unknown[]): string {
  let text = template[0]!;
  for (const [i, value] of values.entries()) {
    if (value instanceof Statement) text += build(value, parameters);
    else if (isIdentifier(value)) text += value.value;
    else text += `$${placeOf(value, parameters) + 1}`;
    text += template[i + 1]!;
  }
  return text;
}

// The helpers of postgres.js, which it does not export. By their prototype: whatever JSON says, it has no other than Object's.
const isIdentifier = (value: unknown): value is { value: string } => kindOf(value) === "Identifier";
/** `sql(rows)`, or a fragment of its own, such as `sql.unsafe(text)`. */
const isHelper = (value: unknown): boolean => kindOf(value) === "Builder" || kindOf(value) === "Query";
const kindOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null ? Object.getPrototypeOf(value)?.constructor.name : undefined;

/**
 * Sends a statement that does not wait for the disk (one with `unwaited` in it), and right behind it, over the same connection, one
 * that does. So the first holds its locks only while it works, not while the disk does, and its rows come earlier (decision 0060).
 * @param statement not begun yet, of a client and no transaction
 * @returns its rows, and `onDisk`, which settles once what it wrote is on disk, and rejects where that is not known
 */
export const flushing = <Rows>(statement: PromiseLike<Rows>) =>
  (statement as unknown as Statement).flushing() as Promise<{ rows: Rows; onDisk: Promise<unknown> }>;

/** `begin` and `savepoint` of a client or transaction, which hand on their transaction as `wrap` makes it. */
export function within<Client extends postgres.Sql>(
  client: Client,
  wrap: (tx: Client) => Client,
  inTurn: InTurn = (work) => work(),
) {
  const own =
    (run: unknown, beforeEnd?: () => void) =>
    (...args: unknown[]) => {
      const work = args.pop() as (tx: unknown) => unknown;
      const whole = async (tx: Client) => {
        const done = await work(wrap(tx));
        beforeEnd?.();
        return done;
      };
      return (run as (...args: unknown[]) => unknown).call(client, ...args, whole);
    };
  const begin = own(client.begin, inTurn.beforeCommit);
  return {
    begin: (...args: unknown[]) => inTurn(() => begin(...args) as Promise<unknown>),
    savepoint: own((client as unknown as postgres.TransactionSql).savepoint),
  };
}

/** `sql(name)` of any client: postgres.js escapes the name anew each time. */
const identifiers = new Map<string, unknown>();

function identifier(client: (name: string) => unknown, name: string): unknown {
  const known = identifiers.get(name) ?? client(name);
  identifiers.set(name, known);
  return known;
}

/**
 * The same client, or transaction, whose templates are put together here.
 * @param inTurn when each of its statements and transactions begins: at once unless told
 */
export function composing<Client extends Sql>(client: Client, inTurn?: InTurn): Client {
  // No Proxy: that would cost each of a search's hundreds of fragments more than the fragment itself.
  const own = (first: unknown, ...rest: unknown[]) => {
    if (Array.isArray(first) && "raw" in first) return new Statement(client as never, first as never, rest, inTurn);
    if (typeof first === "string" && rest.length === 0) return identifier(client as never, first);
    return Reflect.apply(client as never, undefined, [first, ...rest]);
  };
  Object.setPrototypeOf(own, client);
  return Object.assign(own, within(client, composing, inTurn), {
    reserve: async () => composing((await client.reserve()) as never),
  }) as never;
}

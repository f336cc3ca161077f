// Load at a fixed rate, whatever the server does: a request leaves when its time has come. One that finds no connection
// free waits, and its wait counts, so a server that stalls cannot hide it.
import { connect, type Socket } from "node:net";
import { bytes, type Sent } from "./wrk";

interface Pace {
  urls: string[];
  requests: Sent[];
  /** Requests a second; undefined: as fast as the connections take. */
  rate?: number;
  /** Of all servers together. */
  connections: number;
  /** How many requests in all. */
  total: number;
}

interface Paced {
  /** Answers by HTTP status. */
  statuses: Record<number, number>;
  /** Milliseconds, in the order in which the answers came. */
  latencies: Float64Array;
}

const separator = "\r\n\r\n";

/** Sends `total` requests and waits for every answer. @throws Error when a connection fails */
export function pace({ urls, requests, rate, connections, total }: Pace): Promise<Paced> {
  const latencies = new Float64Array(total);
  const statuses: Record<number, number> = {};
  const prepared = urls.map((url) => requests.map((sent) => Buffer.from(bytes(url, sent))));
  return new Promise((resolve, reject) => {
    let [sent, answered] = [0, 0];
    const free: Line[] = [];
    const due: number[] = [];
    const lines = Array.from(
      { length: connections },
      (_, i) => new Line(new URL(urls[i % urls.length]!), i % urls.length),
    );

    const send = (line: Line, since: number) => line.send(prepared[line.server]![sent++ % requests.length]!, since);
    const finish = (error?: Error) => {
      clearInterval(timer);
      for (const { socket } of lines) socket.destroy();
      if (error) reject(error);
      else resolve({ statuses, latencies });
    };
    const onAnswer = (line: Line, status: number, latency: number) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      latencies[answered++] = latency;
      if (answered === total) return finish();
      const since = rate === undefined && sent < total ? performance.now() : due.shift();
      if (since === undefined) free.push(line);
      else send(line, since);
    };

    const started = performance.now();
    let called = 0;
    const tick = () => {
      const now = performance.now();
      const wanted = Math.min(total, Math.floor(((now - started) / 1000) * rate!));
      for (; called < wanted; called++) {
        const line = free.shift();
        if (line) send(line, performance.now());
        else due.push(now);
      }
    };
    const timer = rate === undefined ? undefined : setInterval(tick, 1);
    for (const line of lines) {
      line.socket.on("error", finish);
      line.socket.on("close", () => finish(new Error("A server closed a connection.")));
      line.onAnswer = (status, latency) => onAnswer(line, status, latency);
      if (rate === undefined && sent < total) send(line, performance.now());
      else free.push(line);
    }
  });
}

/** One keep-alive connection with one request under way at a time. */
class Line {
  readonly socket: Socket;
  onAnswer: (status: number, latency: number) => void = () => {};
  private since = 0;
  private text = "";

  constructor(
    { hostname, port }: URL,
    readonly server: number,
  ) {
    this.socket = connect(Number(port), hostname).setNoDelay().setEncoding("latin1");
    this.socket.on("data", (chunk) => this.read(String(chunk)));
  }

  send(request: Buffer, since: number): void {
    this.since = since;
    this.socket.write(request);
  }

  private read(chunk: string): void {
    this.text += chunk;
    const end = this.text.indexOf(separator);
    if (end < 0) return;
    const length = Number(/content-length: *(\d+)/i.exec(this.text.slice(0, end))?.[1] ?? 0);
    if (this.text.length < end + separator.length + length) return;
    const status = Number(this.text.slice(9, 12));
    this.text = "";
    this.onAnswer(status, performance.now() - this.since);
  }
}

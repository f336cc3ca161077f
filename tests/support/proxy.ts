// nginx in front of several instances, as docs/operations.md sets it up.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endAfterUs } from "./after-us";
import { freePort } from "./server";

export interface FrontProxy {
  url: string;
  /** Its error log so far. */
  output: () => string;
  stop(): Promise<void>;
}

/** Seconds that nginx keeps a connection to an instance that it does not use. DRAIN_SECONDS must be more. */
export const KEPT_SECONDS = 3;

/** @throws Error that says what to install, where there is no nginx */
export async function startProxy(ports: number[]): Promise<FrontProxy> {
  const binary = ["nginx", "/usr/sbin/nginx"].find((name) => spawnSync(name, ["-v"]).status === 0);
  if (!binary) throw new Error("nginx is missing: apt-get install nginx-light");
  const place = await mkdtemp(join(tmpdir(), "aisle-nginx-"));
  const port = await freePort();
  const file = join(place, "nginx.conf");
  await writeFile(file, configuration(place, port, ports));
  const nginx = spawn(binary, ["-p", place, "-c", file, "-e", "stderr"], { stdio: ["ignore", "ignore", "pipe"] });
  nginx.once("exit", endAfterUs(nginx.pid!, "TERM"));
  let output = "";
  nginx.stderr.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  await listening(nginx, port, () => output);
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    async stop() {
      const gone = once(nginx, "exit");
      nginx.kill("SIGTERM");
      await gone;
      await rm(place, { recursive: true, force: true });
    },
  };
}

async function listening(nginx: ChildProcess, port: number, output: () => string): Promise<void> {
  for (;;) {
    if (nginx.exitCode !== null) throw new Error(`nginx did not start:\n${output()}`);
    const socket = connect(port, "127.0.0.1");
    const isThere = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isThere) return;
    await sleep(20);
  }
}

const configuration = (place: string, port: number, ports: number[]) => `
daemon off;
worker_processes 1;
pid ${place}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${place}/${of};`).join(" ")}
  upstream aisle {
    ${ports.map((to) => `server 127.0.0.1:${to} max_fails=1 fail_timeout=1s;`).join("\n    ")}
    keepalive 32;
    keepalive_timeout ${KEPT_SECONDS}s;
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_connect_timeout 1s;
    location / {
      proxy_pass http://aisle;
    }
    location /assets/ {
      proxy_pass http://aisle;
      proxy_next_upstream error timeout http_404;
    }
    location /api/mcp {
      proxy_pass http://aisle;
      proxy_next_upstream error timeout non_idempotent;
    }
  }
}
`;

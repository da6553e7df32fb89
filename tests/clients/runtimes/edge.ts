import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@svc/testing'

/** Runs the client in workerd, which is what an edge runs, and answers what it found. */
export async function onEdge(folder: string, program: string, asked: object): Promise<string> {
  const port = await freePort()
  const scripts = readdirSync(join(folder, 'sdk'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => `sdk/${name}`)
  const module = (name: string) => `(name = "${name}", esModule = embed "${name}")`
  const modules = ['worker.mjs', 'exercise.mjs', ...scripts].map(module).join(', ')
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [${modules}], compatibilityDate = "2026-01-01", globalOutbound = "network")),
    (name = "network", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
  )
  const edge = spawn(program, ['serve', 'config.capnp'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(edge, 'exit')
  try {
    return await Promise.race([answerOf(port, asked), ended.then(() => Promise.reject(new Error('workerd has ended')))])
  } finally {
    edge.kill()
  }
}

async function answerOf(port: number, asked: object): Promise<string> {
  const body = JSON.stringify(asked)
  for (let tries = 0; ; tries++) {
    try {
      return await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).text()
    } catch (error) {
      // Until it listens.
      if (tries > 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

// What the scripts of the root package.json call. Runs under the machine's own Node (20 or later) with nothing installed:
// it makes the clone runnable and hands over to the Node of the workspace.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { installPackages, problems } from './bootstrap/machine.mjs'
import { assertWorkspaceNode, WORKSPACE_NODE } from './bootstrap/node.mjs'
import { generateContracts, installWorkspace, root } from './bootstrap/workspace.mjs'

const [command = 'start', ...args] = process.argv.slice(2)
const IN_LOCAL = ['start', 'test', 'test:servers', 'verify', 'generate', 'migrate']
/** Of the commands that are not in deploy/local. */
const PROGRAMS = {
  build: 'deploy/images/src/build.ts',
  compose: 'deploy/compose/src/up.ts',
  regression: 'tests/bench/regression.ts',
  'test:cluster': 'deploy/cluster/src/test-cluster.ts',
  'test:clients': 'tests/clients/run.ts',
  'test:runtimes': 'tests/clients/runtimes.ts',
  'test:traces': 'tests/rehearsals/traces.ts',
}
const COMMANDS = [...IN_LOCAL, ...Object.keys(PROGRAMS)]
const say = (line) => process.stderr.write(`• ${line}\n`)

if (!COMMANDS.includes(command)) {
  process.stderr.write(`usage: npm run ${COMMANDS.join('|')}\n`)
  process.exit(1)
}
const found = problems(command, args)
if (found.length > 0) {
  process.stderr.write(
    `npm run ${command} cannot work on this machine:\n${found.map((line) => `  ${line}\n`).join('')}`,
  )
  process.exit(1)
}

try {
  installPackages(command, args, say)
  installWorkspace(say)
  assertWorkspaceNode()
  generateContracts(say, command === 'generate')
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}

const child = spawn(
  WORKSPACE_NODE,
  ['--conditions=source', PROGRAMS[command] ?? `deploy/local/src/${command.replace(':', '-')}.ts`, ...args],
  {
    cwd: root,
    stdio: 'inherit',
    // What a process states nothing about is production. Compiled once, a program starts in half the time.
    env: {
      NODE_COMPILE_CACHE: join(root, '.local/cache/compiled'),
      ...process.env,
      NODE_ENV: command === 'test' ? 'test' : 'development',
    },
  },
)
// The command stops its parts in order; this process only waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// npm killed outright passes nothing on: what it started ends with it all the same.
const parent = process.ppid
setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref()
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A process that holds something for as long as its standard input is open, and tells of it in one line. */
export interface KeptProcess {
  line: Promise<string>
  /** From now on this process does not end by itself before the kept one does. */
  stay(): void
  /** Lets go of what it holds, and waits until that is done. */
  end(): Promise<void>
}

/** Whatever ends this process closes the input of the kept one, so that what it holds never outlives the tests. */
export function keepProcess(args: readonly string[]): KeptProcess {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  const line = firstLine(child, args)
  // A script that only measures ends when it is done, and what it kept with it.
  line.then(
    () => hold(child, 'unref'),
    () => {},
  )
  return {
    line,
    stay: () => hold(child, 'ref'),
    end: async () => {
      hold(child, 'ref')
      if (child.exitCode !== null) return
      child.stdin?.end()
      await once(child, 'exit')
    },
  }
}

/** Whether this process waits for the child to end before it ends itself. */
function hold(child: ChildProcess, wish: 'ref' | 'unref'): void {
  child[wish]()
  for (const pipe of [child.stdin, child.stdout]) (pipe as Socket | null)?.[wish]()
}

function firstLine(child: ChildProcess, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (text.includes('\n')) resolve(text)
    })
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} did not start (exit ${code})`)))
  })
}

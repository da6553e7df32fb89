import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** What a kubelet sets for the whole machine. */
const SYSCTLS = [
  'vm/overcommit_memory',
  'vm/panic_on_oom',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
].map((name) => `/proc/sys/${name}`)

/** Where the parts of a node write whatever they are told; inside, each is empty memory. */
const PLACES = [
  '/run/netns',
  '/run/containerd',
  '/var/lib/cni',
  '/var/lib/kubelet',
  '/var/log/pods',
  '/var/log/containers',
]

/** Namespaces that end with their first process, and everything in them with it: processes, mounts, links, rules. */
const UNSHARE = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child']
/** The first process of them, which also waits for those that lost their parents. */
const INSIDE = `set -e; for place in "$FOLDER" ${PLACES.join(' ')}; do mount -t tmpfs tmpfs "$place"; done; "$@"; exit`

/** The kernel has ended every process of the namespaces by then. */
const ENDED_WITHIN_MS = 30_000

const cgroups = () => globSync('/sys/fs/cgroup/{,*/}kubepods')

/** Why a node cannot be started on this machine. undefined where it can. */
export function whyNoNode(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux'
  if (cgroups().length > 0) return 'a kubelet runs here, or has left /sys/fs/cgroup/kubepods behind'
  return undefined
}

interface Isolated {
  command: readonly string[]
  /** Where it finds memory in place of a disk: what it writes there is gone with it. */
  folder: string
  /** Ends all of it. */
  signal: AbortSignal
}

/**
 * Runs a program as root of a network, mounts and processes of its own, and puts back what a kubelet changes beyond them.
 * Answers its exit code.
 */
export async function runIsolated({ command, folder, signal }: Isolated): Promise<number> {
  mkdirSync(folder, { recursive: true })
  const before = SYSCTLS.map((file) => [file, readFileSync(file, 'utf8')] as const)
  const made = PLACES.filter((place) => !existsSync(place))
  for (const place of made) mkdirSync(place, { recursive: true })
  try {
    return await new Promise<number>((resolve, reject) => {
      const child = spawn('unshare', [...UNSHARE, 'sh', '-c', INSIDE, 'sh', ...command], {
        stdio: 'inherit',
        env: { ...process.env, FOLDER: folder },
      })
      writeFileSync(pidFileOf(folder), String(child.pid))
      const end = () => child.kill('SIGKILL')
      signal.addEventListener('abort', end, { once: true })
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    rmSync(pidFileOf(folder), { force: true })
    for (const [file, value] of before) writeFileSync(file, value)
    for (const place of made) rmdirSync(place)
    await removeCgroups()
  }
}

const pidFileOf = (folder: string) => `${folder}.pid`

/** The words before a command that runs where the cluster of this folder does. undefined where there is none. */
export function enterIsolated(folder: string): readonly [string, ...string[]] | undefined {
  try {
    const pid = readFileSync(pidFileOf(folder), 'utf8')
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    return first ? ['nsenter', `--target=${first}`, '--net', '--mount', '--pid', `--wd=${process.cwd()}`] : undefined
  } catch {
    return undefined
  }
}

/** The deepest first: none can be removed while it holds another, or a process that is still ending. */
async function removeCgroups(): Promise<void> {
  const giveUpAt = Date.now() + ENDED_WITHIN_MS
  for (const top of cgroups())
    for (const folder of globSync(`${top}/**/`).sort((a, b) => b.length - a.length)) await remove(folder, giveUpAt)
}

async function remove(folder: string, giveUpAt: number): Promise<void> {
  for (;;) {
    try {
      return rmdirSync(folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || Date.now() > giveUpAt) throw error
    }
    await wait(50)
  }
}

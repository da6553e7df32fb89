import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, PRLIMIT } from '../config.ts'

/** Of more text the beginning is kept. */
const MAX_TEXT_BYTES = 256 * 1024
const MAX_FILE_BYTES = 64 * 1024 * 1024
const MAX_PDF_PAGES = 10

/** A program was given a file and could make nothing of it. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
  readonly reason: string
  constructor(reason: string, options?: ErrorOptions) {
    super(`the file was not read: ${reason}`, options)
    this.reason = reason
  }
}

type Engines = Pick<Config, 'ocrCommand' | 'ocrLanguages' | 'pdfTextCommand' | 'ocrTimeout' | 'ocrMemoryBytes'>

/** Reads the text of files. */
export interface TextReader {
  /** Whether files of this type are read here. */
  reads(type: string): boolean
  /** Throws UnreadableError for a file of which nothing can be made within the limits. */
  read(type: string, bytes: Buffer, signal: AbortSignal): Promise<string>
}

/**
 * Programs of the operator's read files: each file in a process of its own without a shell, which has so much time, memory
 * and output and no more, is given nothing of our environment, and leaves nothing behind.
 */
export function textReader({
  ocrCommand,
  ocrLanguages,
  pdfTextCommand,
  ocrTimeout,
  ocrMemoryBytes,
}: Engines): TextReader {
  const pictures = ocrCommand && [ocrCommand, 'stdin', 'stdout', '-l', ocrLanguages, '--psm', '6']
  const pages = pdfTextCommand && [pdfTextCommand, '-q', '-layout', '-l', String(MAX_PDF_PAGES), '-', '-']
  const commandFor = (type: string) => (type === 'application/pdf' ? pages : pictures)
  const seconds = Math.max(1, Math.ceil(ocrTimeout / 1_000))
  const limits = [`--as=${ocrMemoryBytes}`, `--cpu=${seconds}`, `--fsize=${MAX_FILE_BYTES}`, '--nofile=64', '--core=0']
  return {
    reads: (type) => Boolean(commandFor(type)),
    async read(type, bytes, signal) {
      const command = commandFor(type)
      if (!command) throw new UnreadableError('ocr_not_configured')
      const folder = await mkdtemp(join(tmpdir(), 'attachment-'))
      try {
        return await output([...limits, '--', ...command], { bytes, folder, timeoutMs: ocrTimeout, signal })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

interface Given {
  bytes: Buffer
  folder: string
  timeoutMs: number
  signal: AbortSignal
}

function output(args: readonly string[], { bytes, folder: cwd, timeoutMs: timeout, signal }: Given): Promise<string> {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', OMP_THREAD_LIMIT: '1', TMPDIR: cwd, HOME: cwd }
  const options = {
    cwd,
    env,
    timeout,
    signal,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_TEXT_BYTES,
    encoding: 'buffer',
  } as const
  return new Promise((resolve, reject) => {
    const child = execFile(PRLIMIT, args, options, (error, stdout) => {
      const failure = error as (Error & { code?: unknown; killed?: boolean; signal?: string }) | null
      if (!failure || failure.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return resolve(stdout.toString('utf8'))
      if (signal.aborted) return reject(signal.reason)
      if (failure.killed || failure.signal === 'SIGXCPU' || failure.signal === 'SIGKILL')
        return reject(new UnreadableError('ocr_timed_out', { cause: error }))
      // It could not be started at all: that is no fault of the file.
      if (typeof failure.code === 'string' || failure.code === 127) return reject(error)
      reject(new UnreadableError('unreadable_file', { cause: error }))
    })
    // A program that ends before it has read everything closes the pipe.
    child.stdin?.on('error', () => {})
    child.stdin?.end(bytes)
  })
}

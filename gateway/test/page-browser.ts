import vm from 'node:vm'

export interface Shown {
  status?: number
  retryAfter?: string
  text: string
}

class Part {
  innerHTML: string
  constructor(markup: string) {
    this.innerHTML = markup
  }
  get childNodes(): string[] {
    return [this.innerHTML]
  }
  replaceChildren(...nodes: string[]): void {
    this.innerHTML = nodes.join('')
  }
}

const documentOf = (text: string) => {
  const found = text.matchAll(/<(?:div|p) id="(\w+)"[^>]*>([^]*?)<\/(?:div|p)>/g)
  const parts = new Map([...found].map(([, id, markup = '']) => [id, new Part(markup)]))
  return {
    title: /<title>([^<]*)/.exec(text)?.[1] ?? '',
    body: { dataset: { refresh: /data-refresh="(\d*)"/.exec(text)?.[1] } },
    getElementById: (id: string) => parts.get(id) ?? null,
    querySelectorAll: () => [],
  }
}

/**
 * A tab in which a page's own script runs: of a browser it has what that script uses, of markup the parts with an id.
 * Its clock goes as it is told, and `answer` is what each request gets; undefined is a network that is away.
 */
export function openTab(text: string, answer: () => Shown | undefined) {
  let now = Date.parse('2026-11-21T10:15:30.000Z')
  const openedAt = now
  const timers: { every: number; run: () => void }[] = []
  const asked: number[] = []
  const failures: unknown[] = []
  const listeners: (() => void)[] = []
  const document = {
    ...documentOf(text),
    hidden: false,
    addEventListener: (_name: string, run: () => Promise<void>) => void listeners.push(kept(run)),
  }
  const kept = (run: () => Promise<void>) => (): void => {
    run().catch((error: unknown) => failures.push(error))
  }
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(text) ?? []
  vm.runInNewContext(script, {
    document,
    location: { href: 'https://track.example/' },
    Date: class extends Date {
      static override now = () => now
    },
    DOMParser: class {
      parseFromString = documentOf
    },
    setInterval: (run: () => Promise<void>, every: number) => void timers.push({ every, run: kept(run) }),
    fetch: async () => {
      asked.push((now - openedAt) / 1000)
      const got = answer()
      if (got === undefined) throw new TypeError('Failed to fetch')
      const headers = new Headers(got.retryAfter === undefined ? {} : { 'retry-after': got.retryAfter })
      return { status: got.status ?? 200, headers, text: async () => got.text }
    },
  })

  return {
    /** When it asked, in seconds since it was opened. */
    asked,
    /** What its script threw. */
    failures,
    shows: (id: string): string | undefined => document.getElementById(id)?.innerHTML,
    async pass(seconds: number): Promise<void> {
      for (const end = now + seconds * 1000; now < end; ) {
        now += 1000
        for (const { every, run } of timers) if ((now - openedAt) % every === 0) run()
        await settled()
      }
    },
    async turn(to: 'hidden' | 'visible'): Promise<void> {
      document.hidden = to === 'hidden'
      for (const run of listeners) run()
      await settled()
    },
  }
}

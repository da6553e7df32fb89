import { lookup } from 'node:dns/promises'
import { isIP, isIPv6 } from 'node:net'

/** Where one process listens, and the name under which it was looked up: the one that its certificate bears. */
export interface Endpoint {
  host: string
  /** ip:port */
  target: string
  authority: string
}

/** All IP addresses of a host. */
export type Lookup = (host: string) => Promise<string[]>

const lookupAll: Lookup = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

/** What the hosts of an address stand for, one after the other: `host:port`, or several by commas. */
export class Endpoints {
  readonly #lookup: Lookup
  readonly #names: Array<{ host: string; port: string; ips: string[] }>

  constructor(address: string, lookup: Lookup = lookupAll) {
    this.#lookup = lookup
    this.#names = address
      .replace(/^(ipv4|ipv6|dns):(\/\/\/)?/, '')
      .split(',')
      .map((part) => {
        const [, host = '', port = '443'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(part) ?? []
        return { host, port, ips: isIP(host) ? [host] : [] }
      })
  }

  /** Whether any host is a name: what that stands for changes. */
  get hasNames(): boolean {
    return this.#names.some(({ host }) => !isIP(host))
  }

  /** As they were found last. */
  get known(): Endpoint[] {
    return this.#names.flatMap(({ host, port, ips }) =>
      ips.map((ip) => ({ host, target: `${inAddress(ip)}:${port}`, authority: `${inAddress(host)}:${port}` })),
    )
  }

  /** A name that is not found now stands for what it stood for before. */
  async find(): Promise<void> {
    const lookups = this.#names.map(async (name) => {
      if (isIP(name.host)) return
      const ips = await this.#lookup(name.host).catch(() => [])
      if (ips.length > 0) name.ips = [...new Set(ips)].sort()
    })
    await Promise.all(lookups)
  }
}

const inAddress = (host: string) => (isIPv6(host) ? `[${host}]` : host)

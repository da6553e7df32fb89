import * as z from 'zod'

const sent = (most: number) => z.string().max(most).optional()

/** What an identity provider sends a browser back with. */
export const signOnQuery = {
  code: sent(4096),
  state: sent(512),
  iss: sent(2048).meta({ description: 'As which the provider names itself' }),
  error: sent(256).meta({ description: 'In place of a code' }),
}

/** The browser that began the log-in shows it. */
export const signOnHeaders = {
  cookie: z.string().max(16_384).optional().meta({ description: 'As the log-in set it' }),
}

/** Nothing: the browser goes on to the Location. */
export const redirection = z.object({})

/** A page with values behind the `#`, which no server and no log sees. */
export function withFragment(page: string, values: Readonly<Record<string, string | number>>): string {
  const named = Object.entries(values).map(([name, value]): [string, string] => [name, String(value)])
  return `${page}#${new URLSearchParams(named).toString()}`
}

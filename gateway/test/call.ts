export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server sent
  body: any
  text: string
}

interface Sent {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

/** One HTTP call; strings and bytes go as they are, everything else as JSON. */
export async function call(url: string, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const isForm = sent.body instanceof FormData
  const raw = typeof sent.body === 'string' || sent.body instanceof Uint8Array || isForm
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(sent.body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...(sent.token ? { authorization: `Bearer ${sent.token}` } : {}),
      ...sent.headers,
    },
    body: (raw ? sent.body : sent.body === undefined ? undefined : JSON.stringify(sent.body)) as string | undefined,
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json') && text !== ''
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : undefined, text }
}

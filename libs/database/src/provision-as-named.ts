import { randomBytes } from 'node:crypto'
import { provision } from './provision.ts'

interface NamedUrls {
  service: string
  /** Of the server's administrator, who may create roles and databases. */
  adminUrl: string
  ownerUrl: string
  appUrl: string
  workerUrl: string
  extensions?: readonly string[] | undefined
}

/**
 * Creates the database that the URLs of a service name and the roles in them, with the passwords in them, or brings
 * existing ones to that state: so it also gives the roles of a service other passwords. Refuses URLs of other roles, for
 * what the migrations grant is granted to these by name.
 */
export async function provisionAsNamed({ service, adminUrl, extensions, ...urls }: NamedUrls): Promise<void> {
  const owner = named(urls.ownerUrl, `${service}_owner`)
  const app = named(urls.appUrl, `${service}_app`)
  const worker = named(urls.workerUrl, `${service}_worker`)
  if (app.database !== owner.database || worker.database !== owner.database)
    throw new Error(`the URLs of ${service} name more than one database`)
  await provision({
    adminUrl,
    name: owner.database,
    service,
    passwords: {
      owner: owner.password,
      app: app.password,
      worker: worker.password,
      // It may not log in: a password that nobody knows.
      inspect: randomBytes(32).toString('base64url'),
    },
    extensions: [...(extensions ?? [])],
  })
}

/** What a URL says, which must be of this role. Its password is never told. */
function named(text: string, role: string): { database: string; password: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const database = decodeURIComponent(url?.pathname.slice(1) ?? '')
  const password = decodeURIComponent(url?.password ?? '')
  if (url?.username !== role || database === '' || password === '')
    throw new Error(`the URL of ${role} must be postgres://${role}:<password>@<host>/<database>`)
  return { database, password }
}

import { randomBytes } from 'node:crypto'
import { provision } from './provision.ts'

/** What a login of a role has behind the name of the role. */
const LOGIN = /^_[a-z0-9]{1,16}$/

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
 * existing ones to that state: so it also gives the roles of a service other passwords. A URL may name a login of the role,
 * `order_app_2` for `order_app`: both log in then, each with its own password. Refuses URLs of other roles, for what the
 * migrations grant is granted to these by name.
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
    logins: { owner: owner.login, app: app.login, worker: worker.login },
    extensions: [...(extensions ?? [])],
  })
}

/** What a URL says, which must be of this role or a login of it. Its password is never told. */
function named(text: string, role: string): { login: string; database: string; password: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const database = decodeURIComponent(url?.pathname.slice(1) ?? '')
  const password = decodeURIComponent(url?.password ?? '')
  const login = url?.username ?? ''
  const isOfRole = login === role || (login.startsWith(`${role}_`) && LOGIN.test(login.slice(role.length)))
  if (!isOfRole || database === '' || password === '')
    throw new Error(`the URL of ${role} must be postgres://${role}:<password>@<host>/<database>`)
  return { login, database, password }
}

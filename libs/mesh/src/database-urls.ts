import type { MeshSettings, Role } from './settings.ts'

/** The address of a service's database as each of its roles. */
export function databaseUrls(settings: MeshSettings, service: string): Record<Role, string> {
  const urlAs = (role: Role) => {
    const url = new URL(settings.servers.databaseAdminUrl)
    url.username = `${service}_${role}`
    url.password = settings.rolePassword(service, role)
    url.pathname = `/${settings.prefix}${service}`
    return url.href
  }
  return { owner: urlAs('owner'), app: urlAs('app'), worker: urlAs('worker'), inspect: urlAs('inspect') }
}

import { execFile, execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { startPrivateBrokers } from '@svc/testing'
import kafkajs from 'kafkajs'
import { accessTo } from '../src/driver.ts'

const run = promisify(execFile)
const PASSWORD = 'at-least-some-words'
const SUPERUSER = 'operator'

/** What a user may do with resources, as its operator says it. */
interface Right {
  user: string
  resourceName: string
  operations: readonly kafkajs.AclOperationTypes[]
  resourcePatternType?: kafkajs.ResourcePatternTypes
  resourceType?: kafkajs.AclResourceTypes
}

/**
 * One broker that speaks TLS and asks who comes, with the users that are named, who may do nothing yet. This process trusts
 * it till it stops; another does by NODE_EXTRA_CA_CERTS, the path of `certificate`.
 */
export async function guardedBrokers(root: string, users: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'guarded-brokers-'))
  const authorities = tls.getCACertificates('default')
  const file = (name: string) => join(folder, name)
  const made = ['-nodes', '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const words = ['req', '-x509', '-newkey', 'rsa:2048', ...made, '-keyout', file('key'), '-out', file('crt')]
  execFileSync('openssl', words, { stdio: 'pipe' })
  const certificate = readFileSync(file('crt'), 'utf8')
  writeFileSync(file('keystore.pem'), readFileSync(file('key'), 'utf8') + certificate)
  tls.setDefaultCACertificates([...authorities, certificate])
  const passwords = Object.fromEntries([SUPERUSER, ...users].map((user) => [user, PASSWORD]))
  const guard = { users: passwords, superuser: SUPERUSER, keystore: file('keystore.pem') }
  const cluster = await startPrivateBrokers(root, 1, guard)
  /** How a user reaches the brokers, as KAFKA_BROKERS says it. */
  const as = (user: string, password = PASSWORD) =>
    cluster.brokers.map((broker) => `kafkas://${user}:${password}@${broker}`)

  async function asOperator<T>(work: (admin: kafkajs.Admin) => Promise<T>): Promise<T> {
    const admin = new kafkajs.Kafka({ ...accessTo(as(SUPERUSER)), logLevel: kafkajs.logLevel.NOTHING }).admin()
    await admin.connect()
    try {
      return await work(admin)
    } finally {
      await admin.disconnect()
    }
  }

  /** What kafka-configs.sh of Kafka's distribution does of a user, as its operator. */
  async function alter(user: string, ...words: string[]): Promise<void> {
    const login = `org.apache.kafka.common.security.scram.ScramLoginModule required username="${SUPERUSER}" password="${PASSWORD}";`
    const settings = {
      'security.protocol': 'SASL_SSL',
      'sasl.mechanism': 'SCRAM-SHA-512',
      'sasl.jaas.config': login,
      'ssl.truststore.type': 'PEM',
      'ssl.truststore.location': file('crt'),
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(file('operator.properties'), lines.join(''))
    const [jars = ''] = globSync(join(root, '.local/cache/kafka-[0-9]*/'))
    const to = ['--bootstrap-server', String(cluster.brokers[0]), '--command-config', file('operator.properties')]
    const whose = ['--alter', '--entity-type', 'users', '--entity-name', user]
    await run('java', ['-cp', `${jars}/*`, 'kafka.admin.ConfigCommand', ...to, ...whose, ...words])
  }

  async function allow({ user, operations, resourcePatternType, resourceType, resourceName }: Right): Promise<void> {
    const rule = {
      principal: `User:${user}`,
      host: '*',
      permissionType: kafkajs.AclPermissionTypes.ALLOW,
      resourcePatternType: resourcePatternType ?? kafkajs.ResourcePatternTypes.LITERAL,
      resourceType: resourceType ?? kafkajs.AclResourceTypes.TOPIC,
      resourceName,
    }
    await asOperator((admin) => admin.createAcls({ acl: operations.map((operation) => ({ ...rule, operation })) }))
  }

  return {
    as,
    addUser: (user: string, password: string) =>
      alter(user, '--add-config', `SCRAM-SHA-512=[iterations=8192,password=${password}]`),
    /** It logs in no more, and what it was allowed it is no more. */
    async removeUser(user: string): Promise<void> {
      await alter(user, '--delete-config', 'SCRAM-SHA-512')
      const any = {
        resourceType: kafkajs.AclResourceTypes.ANY,
        resourcePatternType: kafkajs.ResourcePatternTypes.ANY,
        operation: kafkajs.AclOperationTypes.ANY,
        permissionType: kafkajs.AclPermissionTypes.ANY,
      }
      await asOperator((admin) => admin.deleteAcls({ filters: [{ ...any, principal: `User:${user}` }] }))
    },
    /** The rights that the page on TLS gives the user of a service. */
    async allowService(service: string, user: string): Promise<void> {
      const { WRITE, CREATE, DESCRIBE_CONFIGS, READ } = kafkajs.AclOperationTypes
      const resourcePatternType = kafkajs.ResourcePatternTypes.PREFIXED
      await allow({ user, resourceName: `svc.${service}.v1`, operations: [WRITE, CREATE, DESCRIBE_CONFIGS] })
      await allow({ user, resourceName: 'svc.', operations: [READ], resourcePatternType })
      if (service === 'admin')
        await allow({ user, resourceName: 'svc.', operations: [CREATE, DESCRIBE_CONFIGS], resourcePatternType })
      const resourceType = kafkajs.AclResourceTypes.GROUP
      await allow({ user, resourceName: service, operations: [READ], resourcePatternType, resourceType })
    },
    operator: as(SUPERUSER),
    internal: cluster.internal,
    /** Another certificate, as it is shown by a broker that was started anew, and whom its clients here believe for it. */
    async show({ key, cert, ca }: Readonly<Record<'key' | 'cert' | 'ca', Buffer>>): Promise<void> {
      writeFileSync(file('keystore.pem'), Buffer.concat([key, cert]))
      writeFileSync(file('crt'), ca)
      tls.setDefaultCACertificates([...authorities, ca.toString()])
      await cluster.kill(0)
      await cluster.revive(0)
    },
    certificate: file('crt'),
    allow,
    async stop(): Promise<void> {
      tls.setDefaultCACertificates(authorities)
      await cluster.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

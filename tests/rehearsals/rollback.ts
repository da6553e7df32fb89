import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startPrivateServers } from '@svc/servers'

/**
 * Whether a release can be rolled back: the suites of services as they were at a commit, the last tag unless told otherwise, on
 * databases that the migrations of this tree have gone over. The commit is checked out beside, its databases are made by its own
 * migrations and then by ours, as an upgrade does it, and its own tests run on them. Ends with 1 where one of them fails.
 *
 *   node --conditions=source tests/rehearsals/rollback.ts [commit] [services, by commas] [pattern of test files]
 */
const root = resolve(import.meta.dirname, '../..')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

const SERVICES = ['admin', 'dispatch', 'ingestion', 'order', 'wallet', 'webhook']
const MIGRATED = 'await migrate({ name: service, ownerUrl, migrations })\n'

function lastTag(): string {
  const tags = git('tag', '--list', '--merged', 'HEAD', '--sort=-version:refname')
  if (tags === '') throw new Error('there is no tag yet: name a commit')
  return tags.split('\n')[0] as string
}

const [ref = lastTag(), services = SERVICES.join(), pattern = ''] = process.argv.slice(2)
const commit = git('rev-parse', '--verify', `${ref}^{commit}`)
const folder = mkdtempSync(join(tmpdir(), 'rollback-'))
const former = join(folder, 'tree')
git('worktree', 'add', '--detach', former, commit)
try {
  upgradeTemplates()
  const servers = await startPrivateServers(root)
  try {
    console.log(
      `${git('log', '-1', '--format=%h %cs %s', commit)}; ${git('rev-list', '--count', `${commit}..HEAD`)} commits ago`,
    )
    const chosen = services.split(',').map((name) => `services/${name}/test/.*(?:${pattern})`)
    const args = ['test', '--', '--selectProjects', 'services', '--testPathPatterns', chosen.join('|')]
    const addresses = {
      TEST_DATABASE_ADMIN_URL: servers.databaseAdminUrl,
      TEST_REDIS_URL: servers.redisUrl,
      TEST_KAFKA_BROKERS: servers.kafkaBrokers.join(),
    }
    const env = { ...process.env, NODE_OPTIONS: '', ...addresses }
    const status = spawnSync('npm', args, { cwd: former, env, stdio: 'inherit' }).status ?? 1
    console.log(
      status === 0
        ? `${ref} runs on the schema of this tree`
        : `RED: the tests above fail at ${ref} on the schema of this tree. Do they pass there without it?`,
    )
    process.exitCode = status
  } finally {
    await servers.stop()
  }
} finally {
  git('worktree', 'remove', '--force', former)
  rmSync(folder, { recursive: true, force: true })
}

/** Where the tests of the commit have migrated a database, this tree goes on: provisions it anew, and migrates it. */
function upgradeTemplates(): void {
  const file = join(former, 'libs/testing/src/database.ts')
  const source = readFileSync(file, 'utf8')
  if (!source.includes(MIGRATED)) throw new Error(`${commit} makes the databases of its tests in another way`)
  const upgrade = `{
    const { extensions = [] } = await import(\`${root}/services/\${service}/src/db/migrations/index.ts\`)
    await provision({ adminUrl, name: building, service, passwords, extensions, inspect: true })
    const { execFileSync } = await import('node:child_process')
    execFileSync(process.execPath, ['--conditions=source', \`services/\${service}/src/commands/migrate.ts\`], {
      cwd: ${JSON.stringify(root)},
      env: { ...process.env, NODE_OPTIONS: '', [\`\${service.toUpperCase()}_OWNER_URL\`]: ownerUrl },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }
`
  writeFileSync(file, source.replace(MIGRATED, MIGRATED + upgrade))
}

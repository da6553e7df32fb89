import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { publint } from 'publint'
import { type Packed, packed } from '../../sdk/typescript/test/packed.ts'

describe('the package', () => {
  let cli: Packed
  beforeAll(() => {
    const env = { ...process.env, NODE_OPTIONS: '' }
    cli = packed('cli', (dist) =>
      execFileSync('node', [join(import.meta.dirname, '../build.mjs'), join(dist, 'dispatch.js')], { env }),
    )
  })
  afterAll(() => cli?.end())

  test('is packed so that publint finds nothing to say', async () => {
    const { messages } = await publint({ pack: { tarball: cli.tarball.buffer }, strict: true })
    expect(messages).toEqual([])
  })

  test('is installed without a registry, for it is all in it, and called by its name', () => {
    const home = join(cli.folder, '../home')
    mkdirSync(home)
    const env = { ...process.env, NODE_OPTIONS: '', npm_config_cache: join(home, 'cache') }
    const options = { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] }
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', cli.path], options)
    expect(existsSync(join(home, 'node_modules/@delivery-dispatch/sdk'))).toBe(false)
    const said = execFileSync('npx', ['--offline', 'dispatch', '--help'], options).toString()
    expect(said).toContain('listen --forward-to URL')
    const told = execFileSync('npx', ['--offline', 'dispatch', '--version'], options).toString()
    expect(told.trim()).toBe(JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version)
  })
})

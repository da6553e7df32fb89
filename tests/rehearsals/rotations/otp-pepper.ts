import { randomBytes } from 'node:crypto'
import { codeSentTo } from '../../journeys/fleet.ts'
import { answered } from '../../journeys/merchant.ts'
import type { Rotation } from '../rotation.ts'
import { openFleet } from '../stage.ts'

const VARIABLE = 'OTP_PEPPER'

/** A code of before is good through both steps; what the old one made is good for nothing without it. */
export const otpPepper: Rotation = {
  name: 'otp-pepper',
  async rotate({ told, roll, anyone, system }) {
    const { rider } = await openFleet(system)
    const { phone } = rider
    const ask = async () => answered(200, await anyone.post('/v1/auth/rider/phone-otp/request', { phone }))
    const tried = async (code: string) => anyone.post('/v1/auth/rider/phone-otp/verify', { phone, code })
    const old = told('dispatch', VARIABLE)
    const fresh = randomBytes(32).toString('base64')
    await ask()
    const first = await codeSentTo(system, phone)
    await roll(['dispatch'], { [VARIABLE]: `${old},${fresh}` })
    await roll(['dispatch'], { [VARIABLE]: `${fresh},${old}` })
    answered(200, await tried(first))
    await roll(['dispatch'], { [VARIABLE]: `${old},${fresh}` })
    await ask()
    const ofOld = await codeSentTo(system, phone)
    if (ofOld === first) throw new Error('no other code was sent')
    await roll(['dispatch'], { [VARIABLE]: fresh })
    answered(400, await tried(ofOld))
  },
}

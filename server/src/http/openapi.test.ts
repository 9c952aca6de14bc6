import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { openapi } from './openapi.ts'

it('the OpenAPI document pleases a linter, by its strictest recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source: JSON.stringify(openapi()), config })
  const said = problems.map(({ ruleId, message, location: [place] }) => `${ruleId}: ${message} ${place?.pointer}`)
  expect(said).toEqual([])
})

it('the linter would find what is wrong', async () => {
  const { info: _, ...nameless } = openapi()
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source: JSON.stringify(nameless), config })
  expect(problems.map(({ message }) => message)).toContain('The field `info` must be present on this level.')
})

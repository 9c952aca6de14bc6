import type { TestProject } from 'vitest/node'
import { startSmallS3 } from './small-s3.ts'
import { startS3 } from './start-s3.ts'

/** Starts the object stores for the whole run. Every test gets its own bucket. */
export default async function setup(project: TestProject) {
  const [real, small] = await Promise.all([startS3(), startSmallS3()])
  project.provide('s3', real.settings)
  project.provide('smallS3', small.settings)
  return async () => {
    await Promise.all([real.stop(), small.stop()])
  }
}

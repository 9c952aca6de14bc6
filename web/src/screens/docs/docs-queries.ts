import { queryOptions } from '@tanstack/react-query'
import { fetchOpenApi } from '../../api/openapi.ts'
import { listOperations } from './operations.ts'

export const operationsQuery = () =>
  queryOptions({ queryKey: ['openapi'], queryFn: async () => listOperations(await fetchOpenApi()), staleTime: Infinity })

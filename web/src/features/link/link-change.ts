import { useMutation, useQueryClient } from '@tanstack/react-query'

/** A change to links. A refusal, too, says that the list is not what it was; the totals count links, too. */
export function useLinkChange<Input, Result>(mutationFn: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => {
      for (const name of ['links', 'stats']) void client.invalidateQueries({ queryKey: [name] })
    },
  })
}

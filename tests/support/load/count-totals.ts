/** Statements that count the totals of companies again, after rows were inserted directly. */
export const countTotals = [
  'delete from company_total',
  `insert into company_total (company_id, directories, files, links)
    select company_id, sum(directories), sum(files), sum(links) from (
      select company_id, count(*) as directories, sum(files) as files, 0 as links from directory where deleted_at is null group by company_id
      union all select company_id, 0, 0, count(*) from link group by company_id) as counted group by company_id`,
  `insert into company_total (company_id, directories, files, links)
    select '', sum(directories), sum(files), sum(links) from company_total`,
]

import { describe, expect, test } from 'vitest';
import { assetNamed, columnsOf, graphOf, problemsOf, sourcesOf, upstreamOf } from './workspace.ts';

/** The columns of Chinook's tables, as its documentation lists them. */
const CHINOOK = {
  Album: 'AlbumId Title ArtistId',
  Artist: 'ArtistId Name',
  Customer: 'CustomerId FirstName LastName Company Address City State Country PostalCode Phone Fax Email SupportRepId',
  Employee:
    'EmployeeId LastName FirstName Title ReportsTo BirthDate HireDate Address City State Country PostalCode Phone Fax Email',
  Genre: 'GenreId Name',
  Invoice:
    'InvoiceId CustomerId InvoiceDate BillingAddress BillingCity BillingState BillingCountry BillingPostalCode Total',
  InvoiceLine: 'InvoiceLineId InvoiceId TrackId UnitPrice Quantity',
  MediaType: 'MediaTypeId Name',
  Playlist: 'PlaylistId Name',
  PlaylistTrack: 'PlaylistId TrackId',
  Track: 'TrackId Name AlbumId MediaTypeId GenreId Composer Milliseconds Bytes UnitPrice',
} as const;

const CHINOOK_KEYS = [
  ['Album', 'ArtistId', 'Artist', 'ArtistId'],
  ['Customer', 'SupportRepId', 'Employee', 'EmployeeId'],
  ['Employee', 'ReportsTo', 'Employee', 'EmployeeId'],
  ['Invoice', 'CustomerId', 'Customer', 'CustomerId'],
  ['InvoiceLine', 'InvoiceId', 'Invoice', 'InvoiceId'],
  ['InvoiceLine', 'TrackId', 'Track', 'TrackId'],
  ['PlaylistTrack', 'PlaylistId', 'Playlist', 'PlaylistId'],
  ['PlaylistTrack', 'TrackId', 'Track', 'TrackId'],
  ['Track', 'AlbumId', 'Album', 'AlbumId'],
  ['Track', 'GenreId', 'Genre', 'GenreId'],
  ['Track', 'MediaTypeId', 'MediaType', 'MediaTypeId'],
] as const;

const typeOf = (column: string) =>
  /Id$|Quantity|Milliseconds|Bytes|ReportsTo/.test(column)
    ? 'INTEGER'
    : /Date$/.test(column)
      ? 'DATETIME'
      : /Total|UnitPrice/.test(column)
        ? 'NUMERIC(10,2)'
        : 'NVARCHAR(160)';

const chinookSqlite = Object.entries(CHINOOK)
  .map(([table, columns]) => {
    const lines = columns
      .split(' ')
      .map((column) => `    [${column}] ${typeOf(column)}${column === `${table}Id` ? ' NOT NULL' : ''}`);
    const keys = CHINOOK_KEYS.filter(([from]) => from === table).map(
      ([, column, to, target]) => `    FOREIGN KEY ([${column}]) REFERENCES [${to}] ([${target}]) ON DELETE NO ACTION`,
    );
    const primary = columns.includes(`${table}Id`) ? [`    CONSTRAINT [PK_${table}] PRIMARY KEY ([${table}Id])`] : [];
    return `CREATE TABLE [${table}]\n(\n${[...lines, ...primary, ...keys].join(',\n')}\n);`;
  })
  .join('\n\n');

const chinookServer = [
  ...Object.entries(CHINOOK).map(([table, columns]) => {
    const lines = columns
      .split(' ')
      .map(
        (column) =>
          `  [${column}] ${typeOf(column).replace('INTEGER', 'INT')}${column === `${table}Id` ? ' NOT NULL IDENTITY' : ''}`,
      );
    return `CREATE TABLE [dbo].[${table}]\n(\n${lines.join(',\n')}\n);\nGO`;
  }),
  ...CHINOOK_KEYS.map(
    ([from, column, to, target]) =>
      `ALTER TABLE [dbo].[${from}] ADD CONSTRAINT [FK_${from}${column}]\n  FOREIGN KEY ([${column}]) REFERENCES [dbo].[${to}] ([${target}]) ON DELETE NO ACTION ON UPDATE NO ACTION;\nGO`,
  ),
].join('\n');

describe.each([
  ['SQLite', 'Chinook_Sqlite.sql', chinookSqlite, 'sqlite://workspace/'],
  ['SQL Server', 'Chinook.sql', chinookServer, 'sqlserver://workspace/dbo/'],
])('Chinook for %s', async (_, file, ddl, prefix) => {
  const graph = await graphOf({ [file]: ddl });

  test('reads without a problem', () => {
    expect(problemsOf(graph)).toEqual([]);
  });

  test('has the published tables and columns', () => {
    const tables = [...graph.assets.keys()].map((name) => name.replace(prefix, ''));
    expect(tables).toEqual(Object.keys(CHINOOK).sort());
    for (const [table, columns] of Object.entries(CHINOOK)) {
      expect(columnsOf(graph, prefix + table).map((column) => column.split(' ')[0])).toEqual(columns.split(' '));
    }
  });

  test.each(CHINOOK_KEYS)('%s.%s references %s.%s', (table, column, target, key) => {
    const found = assetNamed(graph, prefix + table).columns!.find(({ name }) => name === column)!;
    expect(found.references).toEqual({ asset: prefix + target, column: key });
  });
});

/** Tables and views of Northwind that its documentation tells of, names with spaces and all. */
const NORTHWIND = `
CREATE TABLE "Categories" ("CategoryID" INT NOT NULL, "CategoryName" VARCHAR(15) NOT NULL, "Description" TEXT, "Picture" BYTEA);
CREATE TABLE "Customers" ("CustomerID" CHAR(5) NOT NULL PRIMARY KEY, "CompanyName" VARCHAR(40) NOT NULL, "ContactName" VARCHAR(30), "ContactTitle" VARCHAR(30), "Address" VARCHAR(60), "City" VARCHAR(15), "Region" VARCHAR(15), "PostalCode" VARCHAR(10), "Country" VARCHAR(15), "Phone" VARCHAR(24), "Fax" VARCHAR(24));
CREATE TABLE "Orders" ("OrderID" INT NOT NULL PRIMARY KEY, "CustomerID" CHAR(5) REFERENCES "Customers" ("CustomerID"), "EmployeeID" INT, "OrderDate" DATE, "RequiredDate" DATE, "ShippedDate" DATE, "ShipVia" INT, "Freight" NUMERIC, "ShipName" VARCHAR(40), "ShipAddress" VARCHAR(60), "ShipCity" VARCHAR(15), "ShipRegion" VARCHAR(15), "ShipPostalCode" VARCHAR(10), "ShipCountry" VARCHAR(15));
CREATE TABLE "Products" ("ProductID" INT NOT NULL PRIMARY KEY, "ProductName" VARCHAR(40) NOT NULL, "SupplierID" INT, "CategoryID" INT, "QuantityPerUnit" VARCHAR(20), "UnitPrice" NUMERIC, "UnitsInStock" INT, "UnitsOnOrder" INT, "ReorderLevel" INT, "Discontinued" BOOLEAN NOT NULL);
CREATE TABLE "Order Details" ("OrderID" INT NOT NULL REFERENCES "Orders", "ProductID" INT NOT NULL REFERENCES "Products", "UnitPrice" NUMERIC NOT NULL, "Quantity" INT NOT NULL, "Discount" REAL NOT NULL, PRIMARY KEY ("OrderID", "ProductID"));

CREATE VIEW "Order Subtotals" AS
SELECT "Order Details"."OrderID", SUM(("UnitPrice" * "Quantity" * (1 - "Discount") / 100) * 100) AS "Subtotal"
FROM "Order Details" GROUP BY "Order Details"."OrderID";

CREATE VIEW "Orders Qry" AS
SELECT "Orders"."OrderID", "Orders"."CustomerID", "Orders"."Freight", "Customers"."CompanyName", "Customers"."City"
FROM "Customers" INNER JOIN "Orders" ON "Customers"."CustomerID" = "Orders"."CustomerID";

CREATE VIEW "Alphabetical list of products" AS
SELECT "Products".*, "Categories"."CategoryName"
FROM "Categories" INNER JOIN "Products" ON "Categories"."CategoryID" = "Products"."CategoryID"
WHERE NOT "Products"."Discontinued";

CREATE VIEW "Sales Totals by Amount" AS
SELECT "Order Subtotals"."Subtotal" AS "SaleAmount", "Orders"."OrderID", "CompanyName", "ShippedDate"
FROM "Customers"
JOIN "Orders" ON "Customers"."CustomerID" = "Orders"."CustomerID"
JOIN "Order Subtotals" ON "Orders"."OrderID" = "Order Subtotals"."OrderID"
WHERE "Order Subtotals"."Subtotal" > 2500;
`;

describe('Northwind', async () => {
  const graph = await graphOf({ 'northwind.sql': NORTHWIND });
  const at = (name: string) => `postgres://workspace/public/${name}`;

  test('reads without a problem', () => {
    expect(problemsOf(graph)).toEqual([]);
  });

  test('names with spaces keep them', () => {
    expect(assetNamed(graph, at('Order Details'))).toMatchObject({ node_type: 'table', name: 'Order Details' });
    expect(
      assetNamed(graph, at('Order Details'))
        .columns!.filter((column) => column.primary_key)
        .map(({ name }) => name),
    ).toEqual(['OrderID', 'ProductID']);
  });

  test.each([
    ['Order Subtotals', ['Order Details']],
    ['Orders Qry', ['Customers', 'Orders']],
    ['Alphabetical list of products', ['Categories', 'Products']],
    ['Sales Totals by Amount', ['Customers', 'Order Subtotals', 'Orders']],
  ])('%s reads what it should', (view, tables) => {
    expect(upstreamOf(graph, at(view))).toEqual(tables.map(at));
  });

  test.each([
    ['Order Subtotals', 'Subtotal', ['Order Details#Discount', 'Order Details#Quantity', 'Order Details#UnitPrice']],
    ['Orders Qry', 'CompanyName', ['Customers#CompanyName']],
    ['Alphabetical list of products', 'QuantityPerUnit', ['Products#QuantityPerUnit']],
    ['Sales Totals by Amount', 'SaleAmount', ['Order Subtotals#Subtotal']],
    // No table is named before them: only one of the three has each.
    ['Sales Totals by Amount', 'CompanyName', ['Customers#CompanyName']],
    ['Sales Totals by Amount', 'ShippedDate', ['Orders#ShippedDate']],
  ])('%s.%s comes from the right columns', (view, column, sources) => {
    expect(sourcesOf(graph, at(view), column)).toEqual(sources.map(at));
  });

  test('a star brings every column of its table, in order', () => {
    const products = columnsOf(graph, at('Products'));
    expect(columnsOf(graph, at('Alphabetical list of products'))).toEqual([...products, 'CategoryName VARCHAR(15)']);
  });
});

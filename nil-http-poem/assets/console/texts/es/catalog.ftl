## Words of the catalog

## Lists of the portal

filter-titled = Filtro: { $title }
athlete-number = Atleta { $id }

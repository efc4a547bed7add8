, topic (k, word) AS (VALUES (0, 'running shoes'), (1, 'cold brew'), (2, 'trail mix'), (3, 'headphones'),
    (4, 'rain jackets'), (5, 'protein bars'), (6, 'yoga mats'), (7, 'city bikes'), (8, 'sunscreen'),
    (9, 'study planners'), (10, 'smoothies'), (11, 'phone cases'), (12, 'water bottles'), (13, 'swim goggles'),
    (14, 'board games'), (15, 'burritos'), (16, 'winter hats'), (17, 'travel bags'), (18, 'car washes'),
    (19, 'haircuts'), (20, 'pizza nights'), (21, 'golf lessons'), (22, 'tennis rackets'), (23, 'summer camps'),
    (24, 'podcasts'), (25, 'film photography'), (26, 'sneaker laces'), (27, 'wool socks'), (28, 'bus passes'),
    (29, 'dental care'), (30, 'garden tools'), (31, 'guitar strings'))
